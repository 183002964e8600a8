package figures_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"

	"gosched/book/figures"
	ch03 "gosched/chapters/ch03_park"
	"gosched/chapters/check"
	"gosched/chapters/trace"
)

// This file proves what the page of the chapter says about its figures: each is
// a run of one of the programs.

type figure struct{ check.Run }

// course is the run in short: who parks (with the reason), who is made ready, and
// what is printed, in order.
func (f figure) course() []string {
	var course []string
	for _, e := range f.Log.Events {
		who := "main"
		if e.G > 1 {
			who = "G2"
		}
		switch e.Kind {
		case trace.Park:
			course = append(course, who+" parks: "+e.Text)
		case trace.Ready:
			course = append(course, who+" is ready")
		case trace.Write:
			course = append(course, strings.TrimSpace(e.Text))
		}
	}
	return course
}

// The first figure: six numbers, three waits, and the first number passes the
// buffer by.
func TestBufferedWaitsThreeTimes(t *testing.T) {
	f := figure{play(t, ch03.Suite, "buffered.go")}
	assert.Empty(t, cmp.Diff([]string{
		"main parks: chan receive",
		"main is ready", "sent 1", "sent 2", "sent 3", "G2 parks: chan send",
		"received 1", "G2 is ready", "received 2", "received 3", "received 4", "main parks: chan receive",
		"sent 4", "main is ready", "sent 5", "sent 6",
		"received 5", "received 6",
	}, f.course()))
}

// The figure of ping-pong: one wait for each rendezvous, that of the first to come.
func TestPingPongWaitsOnce(t *testing.T) {
	f := figure{play(t, ch03.Suite, "pingpong.go")}
	round := f.course()[4:10]
	assert.Equal(t, []string{"G2 parks: chan send", "G2 is ready", "ping 2", "main parks: chan send", "main is ready", "pong 2"}, round)
}

// The figure of the sieve: at its step most Gs wait, and the run queue is short.
func TestSieveMostlyWaits(t *testing.T) {
	f := figure{play(t, ch03.Suite, "sieve.go")}
	runnable, most := 0, 0
	for _, e := range f.Log.Events {
		switch e.Kind {
		case trace.Put:
			runnable++
			most = max(most, runnable)
		case trace.Get:
			runnable--
		}
	}
	assert.LessOrEqual(t, most, 8, "of 14 goroutines")
}

// The programs whose output is determined print the same with real Go.
func TestParkRealGo(t *testing.T) {
	for _, c := range []struct {
		program string
		status  int
	}{
		{"pingpong.go", 0},
		{"pipeline.go", 0},
		{"sieve.go", 0},
		{"fanin.go", 0},
		{"closing.go", 0},
		{"waiters.go", 0},
		{"deadlock.go", 2},
		{"gone.go", 2},
	} {
		t.Run(c.program, func(t *testing.T) {
			real, ours := figures.RealGo(t, "chapters/ch03_park/programs/"+c.program), figure{play(t, ch03.Suite, c.program)}
			if c.program != "gone.go" { // whether its closer comes to print is not determined
				assert.Empty(t, cmp.Diff(real.Stdout, ours.Stdout))
			}
			assert.Equal(t, c.status, real.Status, "of real Go")
			assert.Equal(t, c.status, ours.Status, "of ours")
			if c.status != 0 {
				first, _, _ := strings.Cut(real.Stderr, "\n")
				assert.Equal(t, first, ours.Fatal, "the first line of the report")
			}
		})
	}
}
