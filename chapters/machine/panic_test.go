package machine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// failing is a program whose main divides by its argument, then calls the
// runtime. Its sigpanic leaves kind and text of the error in a block.
func failing(sigpanic bool) *Program {
	b := newBuilder()
	b.fn("main.main", 2, 1)
	b.line(1)
	b.line(2)
	b.op(DIV, 0, 0, 1, 2+ArgBase)
	b.line(3)
	b.trap(TrapClosechan, 0)
	b.line(4)
	b.ret()
	b.fn("runtime.sigpanic", 3, 0)
	b.line(9)
	b.imm(HOST, 0, int(HostRuntimeError))
	b.trap(TrapGopanic, 0)
	p := b.program()
	if sigpanic {
		p.Sigpanic = b.index("runtime.sigpanic")
	}
	return p
}

// errorOf lets c run into its panic and returns what sigpanic was told.
func errorOf(t *testing.T, m *Machine, c *Context) (kind uint64, text string) {
	_, trap := m.NewThread().RunN(c, 100)
	require.Equal(t, TrapGopanic, trap)
	return m.Word(c.SP), m.String(Addr(m.Word(c.SP+8)), int64(m.Word(c.SP+16)))
}

func TestSigpanic(t *testing.T) {
	m := newMachine(t, failing(true))
	c, old := start(t, m, 2048, 0)
	_, trap := m.NewThread().RunN(c, 100)
	require.Equal(t, TrapPanic, trap)
	require.True(t, m.Sigpanic(c))
	assert.Equal(t, []string{"runtime.sigpanic:9", "main.main:2"}, fmtFrames(m, c), "the instruction that failed is the caller")

	st, ok := m.StackAlloc(4096) // the stack may move before it goes on
	require.True(t, ok)
	copyStack(m, c, old, st)
	m.StackFree(old)
	c.Guard.Store(uint64(st.Lo) + StackSmall)
	kind, text := errorOf(t, m, c)
	assert.EqualValues(t, errorString, kind)
	assert.Equal(t, "runtime error: integer divide by zero", text)
	assert.Equal(t, []string{"runtime.sigpanic:9", "main.main:2"}, fmtFrames(m, c))
}

func TestPanicPlain(t *testing.T) {
	m := newMachine(t, failing(true))
	c, _ := start(t, m, 2048, 1)
	th := m.NewThread()
	_, trap := th.RunN(c, 100)
	require.Equal(t, TrapClosechan, trap)
	require.True(t, th.PanicPlain(c, "close of nil channel"))
	assert.Equal(t, []string{"runtime.sigpanic:9", "main.main:3"}, fmtFrames(m, c), "the call into the runtime is the caller")
	kind, text := errorOf(t, m, c)
	assert.EqualValues(t, errorPlain, kind)
	assert.Equal(t, "close of nil channel", text)
}

func TestPanicOfAProgramWithoutRuntime(t *testing.T) {
	m := newMachine(t, failing(false))
	c, _ := start(t, m, 2048, 0)
	m.NewThread().RunN(c, 100)
	pc, sp := c.PC, c.SP
	assert.False(t, m.Sigpanic(c))
	assert.False(t, m.NewThread().PanicPlain(c, "text"))
	assert.Equal(t, pc, c.PC)
	assert.Equal(t, sp, c.SP)
}

func TestPanicFunctionsAreChecked(t *testing.T) {
	p := failing(true)
	p.Unwind = len(p.Funcs)
	_, err := New(p, Options{})
	assert.EqualError(t, err, "not a program: a function of panics is number 3 of 3")

	p = failing(true)
	p.Funcs[0].Defers = 3
	_, err = New(p, Options{})
	assert.EqualError(t, err, "not a program: function main.main has its deferred calls in slot 3 of 2, and recovers at 0")
}
