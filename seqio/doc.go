// Package seqio reads sequences: plain text, FASTA and FASTQ. It stands alone and needs no device. Compressed
// files are read through package internal/decompress.
//
//	text, err := decompress.NewReader(file)
//	...
//	r, err := seqio.NewReader(text, seqio.Options{Name: "reads.fq.gz", Alphabet: seqio.DNA, Upper: true})
//	for {
//		err := r.Next(&batch, 1<<26) // whole records, together at least 64 MiB if there are so many
//		if err == io.EOF { break }
//		...
//	}
//
// A [Batch] holds the sequences one after the other in one text, and a [Table] of the
// records in it, which tells for a position of the text the record and the place there.
//
// # Formats
//
// Plain: the whole input is one record without a name, and no byte is changed.
//
// FASTA: a record is a line that starts with ">", with the name up to the first blank and
// a description after it, and any number of lines of sequence. Blank lines and lines
// that start with ";" are passed over. A record may be empty.
//
// FASTQ: a line that starts with "@", lines of sequence, a line that starts with "+" and
// repeats the header or has nothing, and quality symbols ("!" to "~") in lines, as many as
// the sequence has symbols.
//
// In both, lines may end in CR LF, the last one in nothing, and blanks inside of sequences
// are left out. A byte order mark of UTF-8 may come first.
//
// Auto: what the first byte says, and a valid record after it; see [Recognise].
//
// # Alphabets
//
// Any allows letters and "*", "-", "." in sequences. DNA allows the nucleotide codes of
// IUPAC (Cornish-Bowden 1985): ACGT, U, which becomes T, and the ambiguity codes
// RYSWKMBDHVN; Options.Ambiguous says what becomes of those. Case stays as it is, where
// lower case often means repeats, unless Options.Upper folds it. Everything else is an
// error that names file, line and column: binary data is never taken for sequence.
//
// N is a character like the others: a run of N matches another, in every tool built on
// suffix arrays. Who does not want that lets Ambiguous refuse them, or looks at the
// matches.
package seqio
