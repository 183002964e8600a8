package machine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// words runs f, which panics, and returns what Go says.
func words(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return "no panic"
}

// TestRuntimeErrorLikeGo compares the words of each runtime error with those of
// the Go that this test is compiled with.
func TestRuntimeErrorLikeGo(t *testing.T) {
	s, str, arr := make([]int, 3), "abc", [4]int{}
	var p *int
	i, j, minus, zero := 5, 2, -1, 0
	u := uint64(1<<64 - 5)
	tests := []struct {
		code PanicCode
		x, y int64
		do   func()
	}{
		{PanicDivide, 0, 0, func() { i /= zero }},
		{PanicIndex, 5, 3, func() { s[i]++ }},
		{PanicIndex, -1, 3, func() { s[minus]++ }},
		{PanicIndexU, -5, 3, func() { s[u]++ }},
		{PanicShift, -1, 0, func() { i <<= minus }},
		{PanicSliceAlen, 5, 4, func() { _ = arr[:i] }},
		{PanicSliceAlen, 5, 3, func() { _ = str[:i] }},
		{PanicSliceAlen, -1, 4, func() { _ = arr[:minus] }},
		{PanicSliceAcap, 5, 3, func() { _ = s[:i] }},
		{PanicSliceAcap, -1, 3, func() { _ = s[:minus] }},
		{PanicSliceB, 3, 2, func() { _ = s[j+1 : j] }},
		{PanicSliceB, -1, 2, func() { _ = s[minus:j] }},
		{PanicSlice3Alen, 5, 4, func() { _ = arr[0:0:i] }},
		{PanicSlice3Acap, 5, 3, func() { _ = s[0:0:i] }},
		{PanicSlice3Acap, -1, 3, func() { _ = s[0:0:minus] }},
		{PanicSlice3B, 3, 2, func() { _ = s[0 : j+1 : j] }},
		{PanicSlice3B, -1, 2, func() { _ = s[0:minus:j] }},
		{PanicSlice3C, 2, 1, func() { _ = s[j : j-1 : 3] }},
		{PanicSlice3C, -1, 1, func() { _ = s[minus : j-1 : 3] }},
		{PanicMakeSliceLen, 0, 0, func() { s = make([]int, minus) }},
		{PanicMakeSliceCap, 0, 0, func() { s = make([]int, i, j) }},
		{PanicArrayLen, 3, 5, func() { _ = [5]int(s) }},
	}
	seen := map[PanicCode]bool{}
	for _, test := range tests {
		c := Context{Trap: TrapPanic, Panic: test.code, X: test.x, Y: test.y}
		assert.Equal(t, words(test.do), (&Machine{}).RuntimeError(&c), "panic code %d", test.code)
		seen[test.code] = true
	}
	for code := PanicNone + 1; code <= PanicArrayLen; code++ {
		assert.True(t, seen[code], "panic code %d is not compared", code)
	}

	fault := Context{Trap: TrapFault, Fault: 0x18, PC: 7}
	assert.Equal(t, words(func() { *p = 1 }), (&Machine{}).RuntimeError(&fault))
	assert.Equal(t, "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x7]", fault.Signal())
}

func TestEqual(t *testing.T) {
	l := newLoader(t)
	ids := func(v any) (id, data uint64) {
		addr, obj := l.alloc(16)
		l.store(obj, anyOf(v))
		return l.m.Word(addr), l.m.Word(addr + 8)
	}
	anyType := uint64(l.typ(anyOf(1).Type()).ID)
	values := []any{
		nil, 1, 2, int8(1), "a", "b", "", 1.5, float32(1.5), true, point{1, 2}, point{2, 1}, [2]string{"a", "b"}, [2]string{"a", "c"},
		struct{ a any }{1}, struct{ a any }{"x"}, struct {
			a int8
			b int64
		}{1, 2},
	}
	for _, x := range values {
		for _, y := range values {
			xi, xd := ids(x)
			yi, yd := ids(y)
			_, trap, word := hostCall(t, l, HostEqual, anyType, xi, xd, yi, yd)
			assert.Equal(t, TrapNone, trap)
			assert.Equal(t, bit(x == y), word(5), "%#v == %#v", x, y)
		}
	}
	for _, v := range []any{[]int{1}, struct{ s []int }{}, [1][]int{}} {
		xi, xd := ids(v)
		c, trap, _ := hostCall(t, l, HostEqual, anyType, xi, xd, xi, xd)
		assert.Equal(t, TrapPanic, trap)
		assert.Equal(t, words(func() { _ = v == v }), l.m.RuntimeError(c))
	}
}
