package input

import "io"

// samplePieces is how many pieces of a text a sample has.
const samplePieces = 16

// Sample reads some pieces of a text of n symbols of one byte, evenly spread, of size bytes in all; all of it where it
// has no more. Errors: those of text.
func Sample(text io.ReaderAt, n, size int) ([]byte, error) {
	size = min(size, n)
	sample, parts := make([]byte, size), min(samplePieces, size)
	for k := range parts {
		from, to := k*size/parts, (k+1)*size/parts
		at := from
		if parts > 1 {
			at += int(float64(n-size) * float64(k) / float64(parts-1))
		}
		at = min(at, n-(to-from))
		if got, err := text.ReadAt(sample[from:to], int64(at)); got < to-from {
			return nil, err
		}
	}
	return sample, nil
}
