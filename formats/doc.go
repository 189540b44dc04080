// Package formats is the roof over packages that write and read the files of other programs: the indexes of aligners
// (bwa, bwamem2, minibwa, bowtie2), the enhanced suffix arrays of GenomeTools (genometools), and patches (bsdiff). It
// has the code that they share: the files of an index, which appear together, and a Source to read a file.
//
//	batch, err := seqio.ReadAll(file, formats.Sequences("genome.fa"))
//	reference, err := bwa.New(batch)
//	files, err := formats.Create("genome.fa", bwa.Suffixes(), formats.Options{})
//	defer files.Discard()
//	err = reference.Write(ctx, engine, files)
//	err = files.Commit()
package formats
