//course:omit
package ch07_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	ch07 "gosched/chapters/ch07_runq"
	"gosched/chapters/check"
	"gosched/solutions"
)

// A part that keeps a G in a plain field is refused, although all models may pass.
func TestVisible(t *testing.T) {
	c := ch07.Suite.Check("visible")
	t.Chdir(t.TempDir())
	write := func(fields, body string) {
		source := "package ch07\n\nimport \"gosched/chapters/gmp\"\n\ntype runQueue struct {\n\ts *gmp.Sched\n" + fields +
			"}\n\nfunc (p *runQueue) Runqput(pp *gmp.P, gp *gmp.G, next bool) {\n" + body + "}\n"
		require.NoError(t, os.WriteFile(filepath.Join(".", "runq.go"), []byte(source), 0o644))
	}
	write("", "\tpp.Runnext.Store(gp)\n")
	assert.Equal(t, check.Pass, ch07.Suite.Run(c, solutions.Base("ch07")).Status)

	write("\tlast *gmp.G\n", "\tp.last = gp\n")
	out := ch07.Suite.Run(c, solutions.Base("ch07"))
	assert.Equal(t, check.Fail, out.Status)
	assert.Contains(t, out.Message, "runq.go:11: ")
	t.Log(out.Message)
}
