package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// sheet is a table.
type sheet struct {
	name, title string
	rows        [][]string
}

func (t sheet) print(w io.Writer) error {
	fmt.Fprintf(w, "\n%s\n", t.title)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range t.rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// markdown writes the table for a page, without its title.
func (t sheet) markdown(w io.Writer) error {
	var b strings.Builder
	for i, row := range t.rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(row)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// turned makes columns of rows: the texts are fewer than the algorithms.
func turned(t sheet) sheet {
	rows := make([][]string, len(t.rows[0]))
	for i := range rows {
		for _, row := range t.rows {
			rows[i] = append(rows[i], row[i])
		}
	}
	t.rows = rows
	return t
}

// filled leaves out columns that have nothing but a head.
func filled(rows [][]string) [][]string {
	keep := make([]bool, len(rows[0]))
	for _, row := range rows[1:] {
		for i, cell := range row {
			keep[i] = keep[i] || cell != ""
		}
	}
	var all [][]string
	for _, row := range rows {
		var cells []string
		for i, cell := range row {
			if keep[i] {
				cells = append(cells, cell)
			}
		}
		all = append(all, cells)
	}
	return all
}

func number(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}
