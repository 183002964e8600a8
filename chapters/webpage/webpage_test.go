package webpage

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWrite(t *testing.T) {
	var b strings.Builder
	assert.NoError(t, Page{Title: "a<b", Style: "p{}\n", Class: "wide", Body: "<p>1 < 2</p>", Script: "f(1 < 2)\n"}.Write(&b))
	text := b.String()
	assert.Contains(t, text, "<title>a&lt;b</title>")
	assert.Contains(t, text, "<style>\np{}\n</style>")
	assert.Contains(t, text, "<body class=\"wide\">\n<p>1 < 2</p>\n<script>\nf(1 < 2)\n</script>\n</body>")

	b.Reset()
	assert.NoError(t, Page{}.Write(&b))
	assert.Contains(t, b.String(), "<body>\n")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteError(t *testing.T) {
	assert.EqualError(t, Page{}.Write(full{}), "full")
}
