// Package sentencepiece prepares texts as the trainer of SentencePiece's unigram models does (Kudo & Richardson, 2018),
// and finds out which of their substrings may be pieces. IntervalOptions.Longest counts these: together they make the
// seeds that training begins with. It needs no device.
//
//	text of lines ── Read ──> Corpus: sentences in code points, each followed by 0
//	                              │
//	                              ├── Limits ──> how long a piece may be that begins at each place
//	                              └── Characters: single characters and how often they occur
//
// The rules are those of spm_train 0.1.97, with its defaults:
//
//	sentences      lines that are not empty, have at most 4,192 bytes, and do not hold U+2585
//	normalisation  NFKC; control characters go; white space of any kind is a space; none at the ends, one in between
//	symbols        <unk>, <s>, </s>, and control and user-defined ones, are in no piece, as characters that are too rare
//	marks          U+2581 for each space, and before the sentence
//	coverage       the most frequent characters that make up 0.9995 of the text stay, others become U+2585
//	pieces         up to 16 characters; no U+2585; U+2581 at the start only; letters of one script, by Unicode, where
//	               Hiragana, Katakana and Han are one, and digits and punctuation another
//
// # Differences
//
//	                                         spm_train 0.1.97           here
//	combining marks out of canonical order   as they are                in order, as NFKC has them
//	121 characters newer than its tables     as they are                NFKC
//	scripts of characters newer than these   Common                     as Unicode 15 has them
//	invalid UTF-8                            U+FFFD, then a space       an error with line and offset
//	split_by_whitespace=false,               options                    none
//	treat_whitespace_as_suffix,
//	sampling
package sentencepiece
