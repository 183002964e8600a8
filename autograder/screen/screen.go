// Package screen writes text for people: in colour and as wide as the terminal
// on a terminal, plain and 80 columns wide elsewhere.
package screen

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Width is kept between these bounds: lines longer than a hundred columns are
// hard to read, and nothing is laid out for fewer than forty.
const (
	minWidth     = 40
	maxWidth     = 100
	defaultWidth = 80
)

// A Screen is where text goes.
type Screen struct {
	io.Writer
	Width    int
	Color    bool
	Terminal bool // it is one that can rewrite a line
}

// New returns the screen behind f. COLUMNS sets the width of a terminal or of
// anything else, and NO_COLOR takes its colours away.
func New(f *os.File) *Screen {
	s := &Screen{Writer: f, Width: defaultWidth}
	if term.IsTerminal(int(f.Fd())) {
		s.Terminal = os.Getenv("TERM") != "dumb"
		s.Color = s.Terminal && os.Getenv("NO_COLOR") == ""
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			s.Width = w
		}
	}
	if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 0 {
		s.Width = w
	}
	s.Width = min(max(s.Width, minWidth), maxWidth)
	return s
}

// A Style is a way to write words.
type Style string

// The styles. Colour never carries a meaning alone: the words do.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Green  Style = "32"
	Red    Style = "31"
	Yellow Style = "33"
	Cyan   Style = "36"
)

// Paint returns text in a style, if the screen has colours.
func (s *Screen) Paint(style Style, text string) string {
	if !s.Color || style == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// Printf writes formatted text.
func (s *Screen) Printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// Println writes its arguments and a newline.
func (s *Screen) Println(args ...any) { fmt.Fprintln(s, args...) }

// Clear makes a terminal empty; what has scrolled out of it stays. Elsewhere it
// does nothing.
func (s *Screen) Clear() {
	if s.Terminal {
		s.Printf("\x1b[H\x1b[2J")
	}
}

// Wrapped writes text, its words wrapped, each line after indent spaces.
func (s *Screen) Wrapped(indent int, text string) {
	for _, line := range Wrap(text, s.Width-indent) {
		s.Println(strings.Repeat(" ", indent) + line)
	}
}

// Labeled writes text behind a label that is column columns wide; further lines
// of the text begin below the first. On a narrow screen the text begins below
// the label.
func (s *Screen) Labeled(indent, column int, label, text string) {
	pad := strings.Repeat(" ", indent)
	if s.Width-indent-column < minWidth/2 {
		s.Println(pad + s.Paint(Dim, label))
		s.Wrapped(indent+2, text)
		return
	}
	for i, line := range Wrap(text, s.Width-indent-column) {
		if i > 0 {
			label = ""
		}
		s.Println(pad + s.Paint(Dim, Pad(label, column)) + line)
	}
}

// Command is Labeled for what people copy: it is not wrapped, however long it is.
func (s *Screen) Command(indent, column int, label, text string) {
	pad := strings.Repeat(" ", indent)
	if utf8.RuneCountInString(text) > s.Width-indent-column {
		s.Println(pad + s.Paint(Dim, label))
		s.Println(pad + "  " + text)
		return
	}
	s.Println(pad + s.Paint(Dim, Pad(label, column)) + text)
}

// Wrap breaks text into lines of at most width columns, at spaces. A word that is
// longer stays whole: it may be a command or a path, to be copied.
func Wrap(text string, width int) []string {
	var lines []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			switch {
			case line == "":
				line = word
			case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
				lines = append(lines, line)
				line = word
			default:
				line += " " + word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// Pad fills text with spaces up to width columns.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// Cut shortens text to width columns of a terminal, with an ellipsis where something is
// missing. Elsewhere nothing is cut: a program or a file has room.
func (s *Screen) Cut(text string, width int) string {
	if !s.Terminal || utf8.RuneCountInString(text) <= width {
		return text
	}
	if width < 2 {
		return ""
	}
	runes := []rune(text)
	return strings.TrimRight(string(runes[:width-1]), " ") + "…"
}

// Ends writes left and right at the two ends of a line, right as it is and left
// in style.
func (s *Screen) Ends(style Style, left, right string) {
	left = s.Cut(left, s.Width-utf8.RuneCountInString(right)-1)
	gap := s.Width - utf8.RuneCountInString(left) - utf8.RuneCountInString(right)
	s.Println(strings.TrimRight(s.Paint(style, left)+strings.Repeat(" ", max(1, gap))+right, " "))
}
