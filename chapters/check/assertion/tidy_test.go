package assertion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// messages keeps what assert reports.
type messages []string

func (m *messages) Errorf(format string, args ...any) {
	*m = append(*m, Tidy(fmt.Sprintf(format, args...)))
}

func TestTidy(t *testing.T) {
	var m messages
	assert.Equal(&m, 1, 2, "the count after %d puts", 3)
	assert.LessOrEqual(&m, 3, 2, "a thief takes half")
	assert.True(&m, false)
	m.Errorf("plain\u00a0text\n")
	assert.Equal(t, messages{
		"the count after 3 puts\nexpected: 1\nactual  : 2",
		"a thief takes half",
		"Should be true",
		"plain text",
	}, m)
}

// A G, an M or a P has hundreds of fields, those of its fields counted. What is left is which
// one it is.
func TestTidyStructs(t *testing.T) {
	g, other := &gmp.G{Goid: machine.CellOf[int64](7)}, &gmp.G{Goid: machine.CellOf[int64](8)}
	type small struct{ A, B int }
	var m messages
	assert.Nil(&m, g)
	assert.Equal(&m, g, other, "the first G")
	assert.Nil(&m, &gmp.M{ID: 3})
	assert.Nil(&m, gmp.NewP(5, 0))
	assert.Contains(&m, []small{{1, 2}}, small{3, 4})
	assert.Equal(t, messages{
		"Expected nil, but got: &gmp.G{Goid: 7, …}",
		"the first G\nexpected: &gmp.G{Goid: 7, …}\nactual  : &gmp.G{Goid: 8, …}",
		"Expected nil, but got: &gmp.M{ID: 3, …}",
		"Expected nil, but got: &gmp.P{ID: 5, …}",
		"[]assertion.small{assertion.small{A:1, B:2}} does not contain assertion.small{A:3, B:4}",
	}, m)

	m = nil
	assert.Equal(&m, g, other)
	assert.Contains(t, m[0], "-  v: (int64) 7\n+  v: (int64) 8", "where they differ")
	m = nil
	assert.ElementsMatch(&m, []*gmp.G{g, other}, []*gmp.G{g})
	assert.Equal(t, errorLines, strings.Count(m[0], "\n"), m[0])
	assert.Regexp(t, `\n… \d+ more lines$`, m[0])

	assert.Equal(t, "gmp.G{…\nmore", abbreviate("gmp.G{"+strings.Repeat("x", 100)+"\nmore"), "no brace closes it")
}
