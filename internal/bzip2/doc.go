// Package bzip2 writes streams of bzip2. The suffixes of blocks are sorted elsewhere, as by an engine: a [Splitter]
// cuts bytes into blocks, Encode takes the suffix array of a block's root, and a [Stream] joins the blocks.
//
//	splitter := bzip2.NewSplitter(func(b *bzip2.Block) error { stream.Add(b.Encode(sort(b.Root()))); return nil })
//	err := splitter.Write(bytes)
//	err = splitter.Close()
//	packed := stream.Close()
//
// The format sorts the rotations of a block. In a Lyndon word, which is less than all its other rotations, they have
// the order of the suffixes (Giancarlo, Restivo and Sciortino 2007). The root of a block is the Lyndon word of which a
// rotation of the block is a power.
package bzip2
