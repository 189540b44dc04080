// Package smems has the job that finds super-maximal exact matches of queries in an index of DNA.
package smems
