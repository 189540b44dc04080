// Package seqio reads sequences: plain text, FASTA, FASTQ and lines. It stands alone and needs no device.
//
//	b, err := seqio.ReadAll(file, seqio.Options{Name: "genome.fa", DNA: true, Upper: true, Separator: []byte("\n")})
//	index, err := engine.Index(suffixcl.Bytes(b.Text), suffixcl.IndexOptions{Records: b.Records, DNA: true}).All(ctx)
//
// A [Batch] holds the sequences one after the other in one text, with a [Table] of its records. For a position of the
// text the table tells the record and the place there. [Reader.Next] reads a file batch by batch. Compressed files are
// read through a reader such as compress/gzip's.
//
// A call works on as many processors as there are, where it reads much. What it returns, errors too, does not depend on
// their number. No goroutine is left when it returns.
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
// Lines: each line is a record without a name. Its bytes stay as they are; its end, and a byte order mark before the
// first line, are left out.
//
// Auto: the format that the first byte tells, with a valid record after it; see [Recognise].
//
// # Alphabets
//
// Sequences hold letters and "*", "-", ".". With Options.DNA they hold the nucleotide codes of IUPAC (Cornish-Bowden
// 1985): ACGT, U, which becomes T, and the ambiguity codes RYSWKMBDHVN. Case stays as it is unless Options.Upper folds
// it; lower case often means repeats. Everything else is an error that names file, line and column: binary data is
// never taken for sequence.
//
// N is a character like the others: a run of N matches another in a suffix array. The DNA option of
// suffixcl.IndexOptions leaves N out of what is found.
package seqio
