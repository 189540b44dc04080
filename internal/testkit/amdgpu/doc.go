// Package amdgpu is an OpenCL implementation in Go that runs the machine code of AMD GPUs, for tests without such a
// GPU. Programs are compiled by package amdcode, as a driver does. Their disassembly is decoded once and interpreted, a
// wavefront at a time, with its registers, masks, local memory and barriers.
//
// [Install] has package cl use it for the rest of the process.
//
// Several work-groups are resident at once. A seed decides which wavefront goes on and for how long, so that a run
// can be repeated. While kernels run they are checked; a violation fails the launch with a text that names kernel,
// instruction and place:
//
//   - access outside of buffers, local memory and scratch, or misaligned
//   - reads of global and local memory that nothing has been written to
//   - races between work-groups of a launch without fences and atomic operations between, and between wavefronts of a
//     work-group between barriers
//   - barriers that not all work-items reach
//   - reads of a register of an inactive lane
//   - launches without end
//
// Not modelled: caches, s_waitcnt, time, double precision.
//
// Sources: AMD, "CDNA3" and "RDNA3" Instruction Set Architecture Reference Guides; LLVM, User Guide for AMDGPU Backend.
package amdgpu
