// Package serve answers questions about indexes over HTTP, as the public services of infini-gram (Liu et al. 2024) and
// infini-gram mini (Xu et al. 2025) do: a request is an object of JSON, and so is its answer.
//
//	index.go     an index by name, and what is asked of one
//	tokens.go    tables of tokens, on the host
//	fm9.go       the FM-indexes of infini-gram mini, on the host
//	fmi.go       FM-indexes on a device
//	batcher.go   requests that wait become one launch
//	request.go   requests, read and checked
//	answer.go    answers, a function for each type of query
//	cnf.go       answers about n-grams with AND and OR
//	watch.go     files that change while they are served
//	handler.go   HTTP: limits, times, errors
//	metrics.go   what was answered, in the text form of Prometheus
//	page.go      a page for people
//
// Tokens and bytes are symbols here. Text is UTF-8, and is asked of indexes of bytes. There is no tokenizer.
package serve
