// Package call has what all jobs share: an engine, which works for one call at a time, and how a call is planned, run,
// streamed and ended.
//
// A job makes an Operation, which is its memory plan and what it allocates. NewJob has it planned for Job.Plan, and for
// each run planned, checked against the memory that is free, and freed. Prepare and Done keep plan and memory for the
// next call of the same Kind; PrepareAlone keeps nothing.
//
//	engine.go     Engine: turns, statistics, pinned memory
//	callbacks.go  goroutines from which a call of the engine would wait for itself
//	place.go      what tells goroutines apart: the runtime's address of each, or its number (place_other.go)
//	call.go       Call: progress, phases, times
//	gather.go     Gatherer: questions of goroutines that wait, answered by one run
//	operation.go  Operation, Step, Kind
//	job.go        Job: Plan, Prepare, Each, All
//	plan.go       plans of calls, and those that are kept (kept.go)
//	transfer.go   copies between host and device, memory of the caller (Placed)
//	blocks.go     long results, a block at a time; entries of files that the device packs (packed.go)
//	lanes.go      streams: upload, computation and download of three texts at a time
//	handover.go   results of other goroutines for the loop of the caller
package call
