package book

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A table is what a run printed in columns: a line with their names, and the rows below
// it, down to an empty line. Names and cells stand two or more spaces apart. A last cell
// that is drawn of blocks (█▒░) is a bar for those who run the program, and no column.
type table struct {
	columns []string
	rows    [][]string
}

// A cell is a number as it was printed. One that begins with - and no digit is none: there
// was nothing to measure.
type cell struct {
	text  string // "26.1"
	value float64
	none  bool
}

// with is the number as it stands before its unit.
func (n cell) with(unit string) string {
	if strings.HasPrefix(unit, "%") {
		return n.text + unit
	}
	return strings.TrimSpace(n.text + " " + unit)
}

var (
	gap    = regexp.MustCompile(` {2,}`)
	number = regexp.MustCompile(`^-?\d+(\.\d+)?`)
)

// cells splits a line at its gaps.
func cells(line string) []string {
	line = strings.TrimSpace(strings.TrimRight(line, " █▒░"))
	if line == "" {
		return nil
	}
	return gap.Split(line, -1)
}

// readTable finds the first table of an output that has the columns.
func readTable(output string, columns []string) (table, error) {
	lines := strings.Split(output, "\n")
	head := slices.IndexFunc(lines, func(line string) bool { return len(missing(cells(line), columns)) == 0 })
	if head < 0 {
		return table{}, noTable(output, lines, columns)
	}
	t := table{columns: cells(lines[head])}
	for _, name := range columns {
		if i := slices.Index(t.columns, name); slices.Contains(t.columns[i+1:], name) {
			return t, fmt.Errorf("the output has two columns %q: let the program give each a name of its own", name)
		}
	}
	for i, line := range lines[head+1:] {
		row := cells(line)
		if row == nil {
			break
		}
		if len(row) != len(t.columns) {
			return t, fmt.Errorf("line %d of the output has %d cells, and its header has %d: they stand two or more spaces apart, and one without a value is -; the line is:\n%s",
				head+2+i, len(row), len(t.columns), line)
		}
		t.rows = append(t.rows, row)
	}
	if len(t.rows) == 0 {
		return t, fmt.Errorf("below its header, line %d, the output has no rows: they follow at once, and an empty line ends them", head+1)
	}
	return t, nil
}

// missing are the columns that a header lacks.
func missing(header, columns []string) []string {
	return slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return slices.Contains(header, name) })
}

// noTable says what the line lacks that comes nearest to the header.
func noTable(output string, lines, columns []string) error {
	nearest := slices.MinFunc(lines, func(a, b string) int {
		return len(missing(cells(a), columns)) - len(missing(cells(b), columns))
	})
	return fmt.Errorf("no line of the output heads the columns %s (the nearest one lacks %s): their names stand two or more spaces apart, above the rows; the output is:\n%s",
		quoted(columns), quoted(missing(cells(nearest), columns)), strings.TrimSpace(output))
}

func quoted(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = strconv.Quote(n)
	}
	return strings.Join(all, ", ")
}

// texts are the cells of a column.
func (t table) texts(column string) []string {
	i := slices.Index(t.columns, column)
	texts := make([]string, len(t.rows))
	for row := range t.rows {
		texts[row] = t.rows[row][i]
	}
	return texts
}

// numbers are the cells of a column of numbers. A unit may follow each, the same one in
// all of them.
func (t table) numbers(column string) (numbers []cell, unit string, err error) {
	known := false
	for _, text := range t.texts(column) {
		digits := number.FindString(text)
		if digits == "" && strings.HasPrefix(text, "-") {
			numbers = append(numbers, cell{text: "-", none: true})
			continue
		}
		value, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return nil, "", fmt.Errorf("the column %q has %q, which does not begin with a number (one without a value is -)", column, text)
		}
		this := strings.TrimSpace(strings.TrimPrefix(text, digits))
		if known && this != unit {
			return nil, "", fmt.Errorf("the column %q is in %q and in %q: let the program print it in one unit", column, unit, this)
		}
		known, unit = true, this
		numbers = append(numbers, cell{text: digits, value: value})
	}
	return numbers, unit, nil
}

// readLanes finds lanes in an output: lines of a name, two spaces, and one of the signs,
// or a space, for each column of time.
func readLanes(output string, signs string) (names, lanes []string, err error) {
	class := strings.ReplaceAll(regexp.QuoteMeta(signs), "-", `\-`)
	lane := regexp.MustCompile(`^(\S+)  ([` + class + ` ]+)$`)
	for _, line := range strings.Split(output, "\n") {
		if m := lane.FindStringSubmatch(line); m != nil {
			names, lanes = append(names, m[1]), append(lanes, m[2])
		}
	}
	if names == nil {
		return nil, nil, fmt.Errorf("the output has no lanes of %q: a lane is a name, two spaces, and one of these signs, or a space, for each column; the output is:\n%s", signs, strings.TrimSpace(output))
	}
	return names, lanes, nil
}
