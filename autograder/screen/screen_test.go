package screen

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWrap(t *testing.T) {
	assert.Equal(t, []string{"one two", "three"}, Wrap("one two three", 8))
	assert.Equal(t, []string{"a", "aVeryLongWordThatStaysWhole", "b"}, Wrap("a aVeryLongWordThatStaysWhole b", 10))
	assert.Equal(t, []string{"1.1–1.5 x", "y"}, Wrap("1.1–1.5 x y", 9), "columns, not bytes")
	assert.Equal(t, []string{"one", "", "two"}, Wrap("one\n\ntwo", 10))
}

func TestCutAndPad(t *testing.T) {
	terminal := &Screen{Terminal: true}
	assert.Equal(t, "abc", terminal.Cut("abc", 3))
	assert.Equal(t, "ab…", terminal.Cut("abcd", 3))
	assert.Equal(t, "ab…", terminal.Cut("ab cd", 4), "no space before the ellipsis")
	assert.Equal(t, "", terminal.Cut("abcd", 1))
	assert.Equal(t, "abcd", (&Screen{}).Cut("abcd", 3), "only a terminal is too narrow")
	assert.Equal(t, "–  ", Pad("–", 3))
}

func TestLabeled(t *testing.T) {
	var b bytes.Buffer
	s := &Screen{Writer: &b, Width: 40}
	s.Labeled(2, 6, "hint", "words that need more than a single line")
	s.Width = minWidth
	s.Labeled(4, 20, "long label", "words below it")
	assert.Equal(t, "  hint  words that need more than a\n        single line\n    long label\n      words below it\n", b.String())
}

func TestEnds(t *testing.T) {
	var b bytes.Buffer
	s := &Screen{Writer: &b, Width: 12, Terminal: true}
	s.Ends(Plain, "left", "right")
	s.Ends(Plain, "too long a text", "right")
	s.Ends(Plain, "alone", "")
	s.Terminal = false
	s.Ends(Plain, "too long a text", "right")
	assert.Equal(t, "left   right\ntoo l… right\nalone\ntoo long a text right\n", b.String())
}

func TestPaint(t *testing.T) {
	assert.Equal(t, "x", (&Screen{}).Paint(Red, "x"))
	assert.Equal(t, "\x1b[31mx\x1b[0m", (&Screen{Color: true}).Paint(Red, "x"))
	assert.Equal(t, "x", (&Screen{Color: true}).Paint(Plain, "x"))
}

func TestNew(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer f.Close()
	for _, tt := range []struct {
		columns string
		width   int
	}{{"", defaultWidth}, {"60", 60}, {"1", minWidth}, {"1000", maxWidth}, {"wide", defaultWidth}} {
		t.Setenv("COLUMNS", tt.columns)
		s := New(f)
		assert.Equal(t, tt.width, s.Width, "COLUMNS=%q", tt.columns)
		assert.False(t, s.Color, "a file has no colours")
		assert.False(t, s.Terminal)
	}
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	s := &Screen{Writer: &b, Width: 40, Terminal: true}
	p := &Progress{Screen: s}
	p.Stage("%d of 2", 1)
	p.Stage("%d of 2", 1)
	p.Stage("%d of 2", 2)
	p.Clear()
	p.Clear()
	assert.Equal(t, "\r\x1b[K1 of 2\r\x1b[K2 of 2\r\x1b[K", b.String())

	b.Reset()
	s.Terminal = false
	p.Stage("quiet")
	p.Clear()
	assert.Empty(t, b.String())
	p.Lines = true
	p.Stage("one")
	p.Stage("one")
	p.Stage("two")
	assert.Equal(t, "one\ntwo\n", b.String())
}
