package compile_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The golden files have only the first line of what Go says when a program dies
// of a panic. These are all lines, as the installed Go prints them.
func TestPanicText(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{inMain(`defer func() { panic("second") }()
			panic("first")`),
			"panic: first\n\tpanic: second"},
		{inMain(`defer func() { panic(recover().(string) + " again") }()
			panic("once")`),
			"panic: once [recovered]\n\tpanic: once again"},
		{inMain(`defer func() { panic(recover()) }()
			var p *int
			*p = 1`),
			"panic: runtime error: invalid memory address or nil pointer dereference [recovered, repanicked]"},
		{inMain(`defer func() { println([]int{}[len(recover().(error).Error())]) }()
			var f func()
			f()`),
			"panic: runtime error: invalid memory address or nil pointer dereference [recovered]\n\tpanic: runtime error: index out of range [64] with length 0"},
		{`package main

			import (
				"errors"
				"runtime"
			)

			type str struct{}

			func (str) String() string { return "a\nb" }

			func main() {
				defer func() { panic(errors.New("four")) }()
				defer func() {
					defer func() { panic(recover()) }()
					panic(str{})
				}()
				defer runtime.Goexit()
				defer func() { panic("two\nlines") }()
				panic(1.5)
			}`,
			"panic: 1.5\n\tpanic: two\n\tlines\n\tpanic: a\n\tb [recovered, repanicked]\n\tpanic: four"},
	} {
		prog, err := compileText(test.src)
		require.NoError(t, err)
		o, err := run(prog, 0, 0)
		require.NoError(t, err)
		assert.Equal(t, test.want, o.Failed, "%s", test.src)
		assert.Equal(t, 2, o.Exit)
	}
}
