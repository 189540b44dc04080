// Package differential makes random runs of the verbs of suffixcl, and says what is wrong with their results. Each verb
// has an oracle that computes the results plainly, from the definition, and shares no code with the library: this
// package imports nothing of this module.
//
// A Case has structure: texts in a format, and flags. So a case that fails is made smaller by leaving out texts, halves
// of texts and flags, and stays a valid run.
package differential
