// Package assertion shortens the messages of testify's assert, for those who
// report them together with something better than a stack.
package assertion

import (
	"fmt"
	"regexp"
	"strings"
)

// Tidy cuts a message of testify's assert, a table of labels and text, down to
// what a student needs: the message that came with it, which says the same in
// words, and what was expected and found; without a message, the beginning of the
// error. Of a struct, such as a G, it leaves the type and the number. Other messages
// stay.
func Tidy(msg string) string {
	msg = strings.ReplaceAll(msg, "\u00a0", " ") // go-cmp uses both at random
	if !strings.Contains(msg, "Error Trace:") {
		return strings.TrimSpace(msg)
	}
	text := map[string][]string{}
	label := ""
	for _, line := range strings.Split(msg, "\n") {
		if rest, ok := strings.CutPrefix(line, "\t"); ok {
			head, body, _ := strings.Cut(rest, "\t")
			if head = strings.TrimSpace(head); head != "" {
				label = strings.TrimSuffix(head, ":")
			}
			line = body
		}
		text[label] = append(text[label], strings.TrimRight(line, " \t"))
	}
	join := func(label string) string { return strings.TrimSpace(strings.Join(text[label], "\n")) }
	m := join("Messages")
	if m == "" {
		return beginning(abbreviate(join("Error")))
	}
	for _, line := range text["Error"] {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "expected:") || strings.HasPrefix(line, "actual  :") {
			m += "\n" + abbreviate(line)
		}
	}
	return m
}

// errorLines is how much of an error without words is kept: a value of a few fields, or
// where two larger ones differ.
const errorLines = 12

// beginning cuts text after errorLines.
func beginning(text string) string {
	lines := strings.Split(text, "\n")
	if more := len(lines) - errorLines; more > 0 {
		lines = append(lines[:errorLines], fmt.Sprintf("… %d more lines", more))
	}
	return strings.Join(lines, "\n")
}

// literalBytes is how long a struct may be that is shown as it is.
const literalBytes = 80

var (
	// literal is how the struct of a package begins in the format %#v.
	literal = regexp.MustCompile(`\w+\.\w+(\[[^{}\s]*\])?\{`)

	// identity is the number of a G, M or P in it.
	identity = regexp.MustCompile(`^(?:.* )?(Goid|ID):(?:machine\.Cell\[int64\]\{.*?\bv:)?(\d+)`)
)

// abbreviate leaves of each long struct its type and, if it has one, its number:
// &gmp.G{Goid: 7, …}.
func abbreviate(text string) string {
	var b strings.Builder
	for {
		at := literal.FindStringIndex(text)
		if at == nil {
			return b.String() + text
		}
		b.WriteString(text[:at[1]])
		text = text[at[1]:]
		end := closing(text)
		if end <= literalBytes {
			continue
		}
		if id := identity.FindStringSubmatch(text[:end]); id != nil {
			fmt.Fprintf(&b, "%s: %s, ", id[1], id[2])
		}
		b.WriteString("…")
		text = text[end:]
	}
}

// closing is where the brace is in text that closes one before it; the end of the line, if
// none does.
func closing(text string) int {
	depth := 1
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		case '\n':
			return i
		}
		if depth == 0 {
			return i
		}
	}
	return len(text)
}
