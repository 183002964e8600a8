package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gosched/autograder/load"
	"gosched/autograder/screen"
)

func TestLoadOptions(t *testing.T) {
	right := loadOptions{version: "1.26", parts: "solutions", procs: 4, conns: 1000, requests: 100_000, rounds: 1}
	assert.NoError(t, right.check())
	for _, c := range []struct {
		wrong func(o *loadOptions)
		want  string
	}{
		{func(o *loadOptions) { o.version = "1.6" }, "--go: there is no Go 1.6 in this course"},
		{func(o *loadOptions) { o.version = "0.x" }, "--go 0.x: it has one thread, which would wait for standard input; take Go 1.0 or later"},
		{func(o *loadOptions) { o.parts = "mine" }, `--parts takes solutions or exercises, not "mine"`},
		{func(o *loadOptions) { o.procs = 0 }, "--procs takes 1 to 64, not 0"},
		{func(o *loadOptions) { o.conns = 1001 }, "--conns takes 1 to 1000, not 1001: a process has 1024 descriptors"},
		{func(o *loadOptions) { o.requests = 999 }, "--requests takes at least 1000, one for each connection, not 999"},
		{func(o *loadOptions) { o.rounds = 0 }, "--rounds takes 1 or more, not 0"},
	} {
		o := right
		c.wrong(&o)
		assert.ErrorContains(t, o.check(), c.want)
	}
}

// The table has the medians, and those of the ratios of each round.
func TestShowLoad(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &screen.Screen{Writer: &out, Width: 72}}
	a.showLoad("http", "1.14", [2][]load.Result{
		{{PerSecond: 100, P50: 3 * time.Millisecond, P99: 30 * time.Millisecond}, {PerSecond: 300, P50: time.Millisecond, P99: 10 * time.Millisecond}, {PerSecond: 50, P50: time.Millisecond, P99: 10 * time.Millisecond}},
		{{PerSecond: 200, P50: 2 * time.Millisecond, P99: 10 * time.Millisecond}, {PerSecond: 200, P50: 2 * time.Millisecond, P99: 20 * time.Millisecond}, {PerSecond: 200, P50: 2 * time.Millisecond, P99: 20 * time.Millisecond}},
	})
	assert.Equal(t, `
http          requests/s       p50       p99
1.14                 100   1.00 ms   10.0 ms
Go                   200   2.00 ms   20.0 ms
ratio               0.50      0.50      0.50
`, out.String())
}
