// Package formats makes the indexes of other programs, byte for byte as these make them: of the aligners bwa, bwa-mem2,
// minibwa, bowtie2 and STAR, the enhanced suffix arrays of GenomeTools, and runs with thresholds for Movi, SPUMONI and
// MONI. docs/formats.md has the bytes.
//
//	batch, err := seqio.ReadAll(file, formats.Sequences("genome.fa"))
//	reference, err := formats.BWA.New(batch)
//	files, err := formats.BWA.Create("genome.fa", formats.Options{})
//	defer files.Discard()
//	err = reference.Write(ctx, engine, files)
//	err = files.Commit()
package formats
