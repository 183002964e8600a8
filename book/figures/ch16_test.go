package figures_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/book/figures"
	ch16 "gosched/chapters/ch16_netpoll"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// playServing runs a program of chapter 16 on two simulated CPUs and Go 1.14, traced.
func playServing(t *testing.T, name string) check.Run {
	run, err := ch16.Suite.Measure(figures.Version(t, "1.14"), name, sim.Options{CPUs: 2, Seed: 1}, func(o *gmp.Options) { o.Trace = true })
	require.NoError(t, err)
	require.NoError(t, run.Err)
	return run
}

// TestBusyNetwork proves what the page says about busy.go: an answer takes about 60 µs, and
// about 25 ms when every P computes.
func TestBusyNetwork(t *testing.T) {
	run := playServing(t, "busy.go")
	got := regexp.MustCompile(`^idle: (\S+)\nbusy: (\S+)\n$`).FindStringSubmatch(run.Stdout)
	require.NotNil(t, got, run.Stdout)
	idle, err := time.ParseDuration(got[1])
	require.NoError(t, err)
	busy, err := time.ParseDuration(got[2])
	require.NoError(t, err)
	assert.InDelta(t, 60, idle.Seconds()*1e6, 4)
	assert.InDelta(t, 25, busy.Seconds()*1000, 1.5)
}

// TestBurst proves the caption of burst.go: of four Gs that become ready at once, one goes on
// the global queue, since one P is idle, and three on the own one, of which one is stolen.
func TestBurst(t *testing.T) {
	run := playServing(t, "burst.go")
	slept := false
	var global, local, stolen int
	for _, e := range run.Events(trace.Fire, trace.Put, trace.Steal) {
		slept = slept || e.Kind == trace.Fire // before that the connections are made
		switch {
		case !slept:
		case e.Kind == trace.Put && e.Q == "global":
			global++
		case e.Kind == trace.Put && e.Q == "local":
			local++
		case e.Kind == trace.Steal:
			stolen += len(e.Gs)
		}
	}
	assert.Equal(t, []int{1, 3, 1}, []int{global, local, stolen}, "on the global queue, on the local one, stolen")
}
