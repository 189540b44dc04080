// Package corpus reads sets of documents, and writes them again without parts of their texts: plain files, files with
// separators or offsets, and lines of JSON. It needs no device.
//
//	var set corpus.Set
//	err := set.Add("shard.jsonl", file, corpus.Options{Field: "text"})
//
// The texts of all documents stand one after the other in [Set.Text]: all bytes of a plain file, separators included,
// and the strings of a field of lines of JSON. Ranges of that text become ranges of documents by [Set.Split].
package corpus
