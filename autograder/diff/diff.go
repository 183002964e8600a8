// Package diff compares two texts line by line.
package diff

import (
	"fmt"
	"strings"
)

// context is how many equal lines stand around a change.
const context = 3

// An op is a line of the comparison: kept (' '), only in a ('-') or in b ('+').
type op struct {
	kind byte
	line string
}

// Unified returns the difference of two texts in the unified format, "" if they
// are equal.
func Unified(nameA, nameB, a, b string) string {
	if a == b {
		return ""
	}
	ops := compare(lines(a), lines(b))
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", nameA, nameB)
	for from := 0; ; {
		for from < len(ops) && ops[from].kind == ' ' {
			from++
		}
		if from == len(ops) {
			return out.String()
		}
		from = writeHunk(&out, ops, from)
	}
}

// writeHunk writes the hunk whose first change is ops[change] and returns the
// index behind it.
func writeHunk(out *strings.Builder, ops []op, change int) int {
	from := max(0, change-context)
	to, equal := change, 0
	for i := change; i < len(ops) && equal <= 2*context; i++ {
		if ops[i].kind == ' ' {
			equal++
		} else {
			equal, to = 0, i+1
		}
	}
	to = min(len(ops), to+context)
	startA, startB := 1, 1
	for _, o := range ops[:from] {
		if o.kind != '+' {
			startA++
		}
		if o.kind != '-' {
			startB++
		}
	}
	countA, countB := 0, 0
	for _, o := range ops[from:to] {
		if o.kind != '+' {
			countA++
		}
		if o.kind != '-' {
			countB++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(startA, countA), span(startB, countB))
	for _, o := range ops[from:to] {
		fmt.Fprintf(out, "%c%s", o.kind, o.line)
		if !strings.HasSuffix(o.line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	return to
}

// span is a range of lines as the format has it: an empty one stands behind the
// line before it.
func span(start, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", start-1)
	case 1:
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, count)
}

// lines splits s after each newline.
func lines(s string) []string {
	all := strings.SplitAfter(s, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// compare finds a longest common subsequence by dynamic programming. The texts
// are files of a course: some hundred lines, so n·m is small.
func compare(a, b []string) []op {
	// length[i][j] is the length of the longest common subsequence of a[i:], b[j:].
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var ops []op
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			ops = append(ops, op{' ', a[i]})
			i++
			j++
		case j == len(b) || i < len(a) && length[i+1][j] >= length[i][j+1]:
			ops = append(ops, op{'-', a[i]})
			i++
		default:
			ops = append(ops, op{'+', b[j]})
			j++
		}
	}
	return ops
}
