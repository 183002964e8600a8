package grade

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a check says comes from the code that is graded, and so does what the compiler says of
// it. A form of the report is written so that such text stays text: Printable is what all forms
// do to it, the rest depends on the form's own syntax.

// Printable is text as it can stand in any form of a report: valid UTF-8 whose only control
// characters are newlines and tabs. Others, and those that change the direction of writing or
// are not seen at all, are shown as escapes, such as \x1b and \u202e. Of what is longer than
// limit bytes the beginning is left, and a last line that says how much is missing.
func Printable(text string, limit int) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		shown := text[at : at+size]
		switch {
		case ' ' <= r && r <= '~' || r == '\n' || r == '\t':
		case r == '\r' && strings.HasPrefix(text[at+1:], "\n"):
			shown = "" // a line that ended as on Windows
		case r == utf8.RuneError && size == 1:
			shown = fmt.Sprintf(`\x%02x`, text[at])
		case r < 0x100 && unicode.IsControl(r):
			shown = fmt.Sprintf(`\x%02x`, r)
		case !unicode.IsGraphic(r) && r <= 0xffff: // with U+2028 and the marks of direction
			shown = fmt.Sprintf(`\u%04x`, r)
		case !unicode.IsGraphic(r):
			shown = fmt.Sprintf(`\U%08x`, r)
		}
		if b.Len()+len(shown) > limit {
			return fmt.Sprintf("%s\n… (%d more bytes)", strings.TrimRight(b.String(), "\n"), len(text)-at)
		}
		b.WriteString(shown)
		at += size
	}
	return b.String()
}

// FirstLine is what a message says first: its first line, and the second, if the first only leads
// to that, as "models.go:9: violated check:" does.
func FirstLine(message string) string {
	first, rest, _ := strings.Cut(message, "\n")
	if strings.HasSuffix(first, ":") {
		second, _, _ := strings.Cut(rest, "\n")
		first = strings.TrimSpace(first + " " + strings.TrimSpace(second))
	}
	return first
}

// Inert is text that the log of GitHub Actions shows and does not obey. There a line that begins
// with two colons, behind any space, is a command, and so is ##[ anywhere: see TryParseV2 and
// TryParse in src/Runner.Common/ActionCommand.cs of actions/runner.
func Inert(text string) string {
	var b strings.Builder
	begins := true // a word; text may yet be wrapped, so that any of them begins a line
	for at, r := range text {
		switch {
		case begins && strings.HasPrefix(text[at:], "::"):
			b.WriteByte('\\')
		case strings.HasSuffix(text[:at], "##") && r == '[':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		begins = unicode.IsSpace(r)
	}
	return b.String()
}
