package stacks

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAll(t *testing.T) {
	id, wait := make(chan string), make(chan bool)
	go func() {
		id <- ID()
		<-wait
	}()
	other := <-id
	all := All()
	close(wait)
	assert.True(t, strings.HasPrefix(all[0], ID()))
	assert.NotEqual(t, other, ID())
	assert.True(t, slices.ContainsFunc(all, func(stack string) bool { return strings.HasPrefix(stack, other) }))
}

func TestPart(t *testing.T) {
	stack := strings.Join([]string{
		"goroutine 7 [running]:",
		"gosched/chapters/gmp.(*Sched).Throw(0xc0, {0x1, 0x2})", "\t/course/chapters/gmp/life.go:300 +0x12",
		"gosched/exercises/ch02_onethread.(*loop).Schedule(0xc0, 0xc1)", "\t/course/exercises/ch02_onethread/loop.go:31 +0x1d",
		"gosched/solutions/ch01_goroutine.(*life).Goexit0(...)", "\t/course/solutions/ch01_goroutine/life.go:9",
	}, "\n")
	place, function, ok := Part(stack)
	assert.True(t, ok)
	assert.Equal(t, "/course/exercises/ch02_onethread/loop.go:31", place)
	assert.Equal(t, "ch02_onethread.(*loop).Schedule", function)

	_, _, ok = Part("goroutine 7 [running]:\nmain.main()\n\t/course/autograder/main.go:3 +0x1\ngosched/exercises/ch02_onethread.f()")
	assert.False(t, ok)
}
