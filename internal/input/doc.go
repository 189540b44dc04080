// Package input has what jobs take: texts of symbols of 8, 16 and 32 bits, sets of texts, lengths alone, and the orders
// of their suffixes. The types of the root package hold those of this one.
package input
