package ch04

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// What the programs print under Go, whoever schedules them.
const (
	selectOut = `fair: true 1000
sum: 123725
both: 100
send on closed channel
send on closed channel
"" false
default
b 1
nobody
big: 45
`
	syncOut = `mutex: 400
cond: 10
rw: 10
once: 1
`
)

func selectProgram(t *check.T) { everywhere(t, "select.go", selectOut) }

func syncProgram(t *check.T) { everywhere(t, "sync.go", syncOut) }

// everywhere plays a program undisturbed, and interrupted after every k
// instructions.
func everywhere(t *check.T, program, want string) {
	for k := int64(0); k <= 50; k++ {
		run := t.Play(program, func(o *gmp.Options) { o.Slice, o.Seed, o.Trace = k, uint64(k), k == 0 })
		if run.Stdout != want || run.Status != 0 {
			t.Fatalf("%s, interrupted after every %d instructions (0: not at all), ended with status %d %s and printed\n%s\nwant\n%s", program, k, run.Status, run.Fatal, run.Stdout, want)
		}
	}
}
