package main

import (
	"bytes"
	"errors"
	"strings"
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
		{func(o *loadOptions) { o.procs = 0 }, "--procs takes 1 to 256, not 0"},
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
		{{PerSecond: 100, P50: 3 * time.Millisecond, P99: 30 * time.Millisecond, Threads: 12}, {PerSecond: 300, P50: time.Millisecond, P99: 10 * time.Millisecond, Threads: 10}, {PerSecond: 50, P50: time.Millisecond, P99: 10 * time.Millisecond, Threads: 11}},
		{{PerSecond: 200, P50: 2 * time.Millisecond, P99: 10 * time.Millisecond}, {PerSecond: 200, P50: 2 * time.Millisecond, P99: 20 * time.Millisecond}, {PerSecond: 200, P50: 2 * time.Millisecond, P99: 20 * time.Millisecond}},
	})
	assert.Equal(t, `
http           answers/s       p50       p99   threads
1.14                 100   1.00 ms   10.0 ms        11
Go                   200   2.00 ms   20.0 ms
ratio               0.50      0.50      0.50
`, out.String())
}

// A fault is a line, with what was wrong.
func TestShowFault(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &screen.Screen{Writer: &out, Width: 72}}
	a.showFault(load.Fault{Program: "http", Name: "a client says nothing"}, nil)
	a.showFault(load.Fault{Program: "chat", Name: "a guest does not listen"}, errors.New("the server has 7 goroutines in the end, and had 3"))
	assert.Equal(t, `  pass http  a client says nothing
  FAIL chat  a guest does not listen
       the server has 7 goroutines in the end, and had 3
`, out.String())
}

// Faults have clients of their own, and there are only those servers.
func TestLoadUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--faults --conns 5":     "--faults has clients of its own, and no rounds: leave out --conns",
		"--faults --rounds 1":    "--faults has clients of its own, and no rounds: leave out --rounds",
		"ftp":                    `there is no server "ftp"; there are chat, echo and http`,
		"--faults --parts maybe": `--parts takes solutions or exercises, not "maybe"`,
	} {
		cmd := new(app).loadCommand()
		cmd.SetArgs(strings.Fields(args))
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		assert.Equal(t, exit{exitUsage, want}, cmd.Execute(), args)
	}
}
