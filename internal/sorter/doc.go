// Package sorter has the suffix sorters by their names, and chooses among them: by the device, the length of the text,
// and the memory that is free.
package sorter
