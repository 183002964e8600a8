package ch16_test

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

func play(t *testing.T, name string) check.Run {
	run, err := ch16.Suite.Measure(figures.Version(t, "1.14"), name, sim.Options{CPUs: 2, Seed: 1}, func(o *gmp.Options) { o.Trace = true })
	require.NoError(t, err)
	require.NoError(t, run.Err)
	return run
}

// TestBusy proves what the page says about busy.go: an answer takes 58 µs, and 24 ms when
// every P computes.
func TestBusy(t *testing.T) {
	run := play(t, "busy.go")
	got := regexp.MustCompile(`^idle: (\S+)\nbusy: (\S+)\n$`).FindStringSubmatch(run.Output)
	require.NotNil(t, got, run.Output)
	idle, err := time.ParseDuration(got[1])
	require.NoError(t, err)
	busy, err := time.ParseDuration(got[2])
	require.NoError(t, err)
	assert.Equal(t, 58*time.Microsecond, idle)
	assert.Equal(t, 24*time.Millisecond, busy.Round(time.Millisecond))
}

// TestBurst proves the caption of burst.go: of four Gs that become ready at once, one goes on
// the global queue, since one P is idle, and three on the own one, of which one is stolen.
func TestBurst(t *testing.T) {
	run := play(t, "burst.go")
	var global, local, stolen, readied int
	var at int64
	for _, e := range run.Events(trace.Ready, trace.Put, trace.Steal) {
		if e.Kind == trace.Ready && e.P == trace.None {
			readied, at = readied+1, e.T
		}
		if readied < 4 {
			continue
		}
		switch {
		case e.Kind == trace.Put && e.Q == "global":
			global++
			assert.Less(t, e.T-at, int64(sim.Millisecond))
		case e.Kind == trace.Put && e.Q == "local":
			local++
		case e.Kind == trace.Steal:
			stolen += len(e.Gs)
		}
	}
	assert.Equal(t, []int{1, 3, 1}, []int{global, local, stolen}, "on the global queue, on the local one, stolen")
}
