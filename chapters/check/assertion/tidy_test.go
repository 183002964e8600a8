package assertion

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
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
