// Package infinigrammini makes the texts that infini-gram mini (Xu et al. 2025) indexes, of documents in lines of
// JSON: one of the documents, and one of what else is known of them. No device is needed.
//
// The text of documents has a byte ff and a document, again and again, and ends with a byte fa. Neither is in UTF-8.
// The text of metadata has a line of JSON a document, as Python's json.dumps writes it, and ends with fa, too. For each
// document an offset tells where its ff stands in the first, and its line begins in the second.
//
//	corpus.go   both texts, of lines of JSON or of files
//	python.go   JSON as Python reads and writes it
//	index.go    an index of them, asked on the host: data.fm9, meta.fm9, data_offset, meta_offset
package infinigrammini

// Bytes that no document has.
const (
	Separator = 0xff
	End       = 0xfa
)
