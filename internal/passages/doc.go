// Package passages finds the longest parts of a document that an index has: those that occur in it often enough, that
// are long enough, and that no longer such part contains. It needs no device.
//
//	passages.go  Find, for any index; what repeats in the document is not searched again
//	rows.go      an index that is searched backward: its rows for one more letter
//	counts.go    an index that tells how often a part occurs
package passages
