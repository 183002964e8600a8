package gmp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The package sync of the programs is compiled for the machine and cannot import
// this one, so it has the numbers of the reasons for which its goroutines wait
// written out.
func TestWaitReasonsOfSync(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../machine/compile/std/sync/sync.go", nil, 0)
	require.NoError(t, err)
	got := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "wait") {
			number, err := strconv.Atoi(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			got[spec.Names[0].Name] = WaitReason(number).String()
		}
		return true
	})
	assert.Equal(t, map[string]string{
		"waitMutex":     WaitReasonSyncMutexLock.String(),
		"waitRLock":     WaitReasonSyncRWMutexRLock.String(),
		"waitRWLock":    WaitReasonSyncRWMutexLock.String(),
		"waitWaitGroup": WaitReasonSyncWaitGroupWait.String(),
	}, got)
}
