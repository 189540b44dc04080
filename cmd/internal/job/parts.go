package job

import "iter"

// EachPart gives the parts of a job to use, up to the first error.
func EachPart[P any](parts iter.Seq2[P, error], use func(P) error) error {
	for part, err := range parts {
		if err != nil {
			return err
		}
		if err := use(part); err != nil {
			return err
		}
	}
	return nil
}
