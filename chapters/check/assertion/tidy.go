// Package assertion shortens the messages of testify's assert, for those who
// report them together with something better than a stack.
package assertion

import "strings"

// Tidy cuts a message of testify's assert, a table of labels and text, down to
// what a student needs: the message that came with it, which says the same in
// words, and what was expected and found; without a message, the whole error.
// Other messages stay.
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
		return join("Error")
	}
	for _, line := range text["Error"] {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "expected:") || strings.HasPrefix(line, "actual  :") {
			m += "\n" + line
		}
	}
	return m
}
