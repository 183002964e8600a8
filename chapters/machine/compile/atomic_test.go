package compile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
)

const usesAtomics = `package main

import (
	"sync"
	"sync/atomic"
)

type T struct {
	n    atomic.Int32
	u    atomic.Uint64
	done atomic.Bool
	next atomic.Pointer[T]
	word uint32
	deep [1200]atomic.Int64
}

func methods(t *T, d int32) int32 {
	t.u.Or(3)
	return t.n.Add(d)
}

func functions(t *T, m uint32) uint32 {
	atomic.StoreUint32(&t.word, atomic.LoadUint32(&t.word))
	return atomic.AndUint32(&t.word, m)
}

func bools(t *T) bool {
	t.done.Store(true)
	return t.done.CompareAndSwap(false, true)
}

func push(t, top *T) {
	for {
		old := top.next.Load()
		t.next.Store(old)
		if top.next.CompareAndSwap(old, t) {
			return
		}
	}
}

func increment(a []int32, i int) bool {
	old := atomic.LoadInt32(&a[i])
	return atomic.CompareAndSwapInt32(&a[i], old, old+1)
}

func retry(p *int32) {
	for {
		if old := atomic.LoadInt32(p); atomic.CompareAndSwapInt32(p, old, old+1) {
			return
		}
	}
}

func addressOfField(t *T, p *atomic.Pointer[uint32]) { p.Store(&t.word) }

func far(t *T) int64 { return t.deep[1100].Add(1) }

func values(t *T) (func(*int64, int64) int64, func(uint64) uint64) {
	return atomic.AddInt64, t.u.Add
}

func lock(mu *sync.Mutex) { mu.Lock() }

func main() {
	t := &T{}
	methods(t, 1)
	functions(t, 1)
	bools(t)
	push(t, t)
	a := make([]int32, 1)
	increment(a, 0)
	retry(&a[0])
	addressOfField(t, new(atomic.Pointer[uint32]))
	far(t)
	values(t)
	lock(new(sync.Mutex))
}
`

// disasm returns the instructions of a function, without lines and addresses.
func disasm(t *testing.T, p *machine.Program, name string) string {
	for i := range p.Funcs {
		if p.Funcs[i].Name != name {
			continue
		}
		var b strings.Builder
		for _, line := range strings.Split(p.Disasm(&p.Funcs[i]), "\n")[1:] {
			if len(line) > 15 && !strings.HasPrefix(line, "pointers") {
				b.WriteString(line[15:] + "\n")
			}
		}
		return b.String()
	}
	t.Fatalf("no function %s", name)
	return ""
}

// TestAtomics: what the program does with sync/atomic are instructions in place,
// which take fields of what may be nil without a check of their own. Where a loop
// jumps back to is left out.
func TestAtomics(t *testing.T) {
	prog, err := compileText(usesAtomics)
	require.NoError(t, err)
	for name, want := range map[string]string{
		"main.methods": `
ENTER 3
ADDI  r1, a0, 8
LDI   r2, 3
AOR   r0, [r1], r2, 64
AADD  a2, [a0], a1, int32
RET   3
`,
		"main.functions": `
ENTER 2
NILCK a0
NILCK a0
ALD   r0, [a0+32], uint32
AST   [a0+32], r0, uint32
NILCK a0
ADDI  r1, a0, 32
AAND  a2, [r1], a1, uint32
RET   2
`,
		"main.bools": `
ENTER 4
LDI   r0, 1
AST   [a0+16], r0, uint32
ADDI  r1, a0, 16
LDI   r2, 0
LDI   r3, 1
ACAS  a1, [r1], r2, uint32
RET   4
`,
		"main.push": `
ENTER 5
ALD   r0, [a1+24], pointer
AST   [a0+24], r0, pointer
ADDI  r2, a1, 24
MOV   r3, r0
MOV   r4, a0
ACAS  r1, [r2], r3, pointer
`,
		"main.increment": `
ENTER 3
ELEMS r0, a0, a3, 4
ALD   r1, [r0], int32
ELEMS r0, a0, a3, 4
ADDI  r2, r1, 1
EXT   r2, r2, int32
ACAS  a4, [r0], r1, int32
RET   3
`,
		"main.retry": `
ENTER 2
ALD   r0, [a0], int32
ADDI  r1, r0, 1
EXT   r1, r1, int32
ACAS  r0, [a0], r0, int32
`,
		"main.addressOfField": `
ENTER 1
NILCK a0
ADDI  r0, a0, 32
AST   [a1], r0, pointer
RET   1
`,
		"main.far": `
ENTER 2
NILCK a0
ADDI  r0, a0, 8840
LDI   r1, 1
AADD  a1, [r0], r1, 64
RET   2
`,
		"main.lock": `
ENTER 4
LDI   r2, 0
LDI   r3, 1
ACAS  r1, [a0], r2, int32
`,
		"sync/atomic.AddInt64": `
ENTER 0
AADD  a2, [a0], a1, 64
RET   0
`,
		"sync/atomic.(*Uint64).Add-fm": `
ENTER 2
CTXT  r1
LD64  r0, [r1+8]
AADD  a1, [r0], a0, 64
RET   2
`,
	} {
		want, got := strings.TrimPrefix(want, "\n"), disasm(t, prog, name)
		assert.Equal(t, want, got[:min(len(want), len(got))], name)
	}
}
