package ch03

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/trace"
)

// lines splits what a program printed.
func lines(stdout string) []string { return strings.Split(strings.TrimRight(stdout, "\n"), "\n") }

// wantOutput compares what a program printed, line by line. A check whose program
// prints something else ends.
func wantOutput(t *check.T, what string, run check.Run, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, lines(run.Stdout)); d != "" {
		end := ""
		if run.Fatal != "" {
			end = ", and ends with " + run.Fatal
		}
		t.Fatalf("%s does not print what it should%s (- want, + found):\n%s", what, end, d)
	}
}

// output is what a program prints under any scheduler.
var output = map[string]string{
	"pingpong.go": `ping 1
pong 1
ping 2
pong 2
ping 3
pong 3
ping 4
pong 4
ping 5
pong 5
pong leaves
the way back is open: false`,
	"pipeline.go": `item 1 1 0 1
item 16 2 1 2
item 81 3 1 3
item 256 4 2 4
item 625 5 2 5
item 1296 6 3 6
the sum is 2275`,
	"sieve.go": `2
3
5
7
11
13
17
19
23
29
31
37`,
	"fanin.go": `30 numbers, their sum is 435
0 false 0 0 3`,
	"closing.go": `1 got the seven, 2 got a zero`,
	"waiters.go": `the first one says 42
the others say 9999`,
}

// runsRight runs programs by name and compares their output.
func runsRight(t *check.T, opt func(*gmp.Options), what string, names ...string) {
	t.Helper()
	for _, name := range names {
		run := t.Play(name, opt)
		wantOutput(t, name+what, run, lines(output[name])...)
		check.Want(t, "the exit status of "+name+what, run.Status, 0)
	}
}

// programsRun checks programs whose output does not depend on the scheduler.
func programsRun(t *check.T) {
	runsRight(t, nil, "", "pingpong.go", "pipeline.go", "sieve.go", "fanin.go", "closing.go")
}

// pingPong checks the course of a rendezvous: who runs waits for nobody, and who
// waits does not run.
func pingPong(t *check.T) {
	run := t.Play("pingpong.go", nil)
	wantOutput(t, "pingpong.go", run, lines(output["pingpong.go"])...)
	parks, readies := 0, 0
	waiting := map[int64]bool{}
	for _, e := range run.Log.Events {
		switch e.Kind {
		case trace.Park:
			parks++
			waiting[e.G] = true
		case trace.Ready:
			readies++
			if !waiting[e.G] {
				t.Fatalf("pingpong.go: at t = %d G%d is made ready, although it did not wait", e.T, e.G)
			}
			waiting[e.G] = false
		case trace.Yield:
			t.Fatalf("pingpong.go: at t = %d G%d yields, and stays runnable; a G that waits for something parks, and costs nothing until it comes", e.T, e.G)
		case trace.Run:
			if waiting[e.G] {
				t.Fatalf("pingpong.go: at t = %d G%d runs, although it parked and was not made ready", e.T, e.G)
			}
		}
	}
	if parks == 0 || parks != readies {
		t.Errorf("in pingpong.go Gs park %d times and are made ready %d times; want the same number, and not 0: at the end no G waits", parks, readies)
	}
	if parks > 12 {
		t.Errorf("in pingpong.go Gs park %d times; the two hand a number over ten times and close twice, so at most 12 waits are needed", parks)
	}
}

// deadlocked checks the report of a program in which all wait.
func deadlocked(t *check.T) {
	run := t.Play("deadlock.go", nil)
	wantOutput(t, "deadlock.go", run, "received 1")
	check.Want(t, "the exit status of deadlock.go", run.Status, 2)
	check.Want(t, "the fatal error of deadlock.go", run.Fatal, "fatal error: all goroutines are asleep - deadlock!")
	for _, listed := range []string{
		"\ngoroutine 1 [chan receive]:\nmain.main(...)\n",
		"\ngoroutine 3 [chan send (nil chan)]:\nmain.main.func2(...)\n",
	} {
		if !strings.Contains(run.Stderr, listed) {
			t.Errorf("deadlock.go must say what each G waits for; this is missing in its report:\n%s\nit says:\n%s", strings.TrimSpace(listed), strings.TrimSpace(run.Stderr))
		}
	}
}

// goneWhileWaiting checks the panic of a sender that a close has woken.
func goneWhileWaiting(t *check.T) {
	run := t.Play("gone.go", nil)
	wantOutput(t, "gone.go", run, "closed")
	check.Want(t, "the exit status of gone.go", run.Status, 2)
	check.Want(t, "what ends gone.go", run.Fatal, "panic: send on closed channel")
	if !strings.Contains(run.Stderr, "\ngoroutine 2 [running]:\nmain.main.func1(...)\n") {
		t.Errorf("gone.go: the panic is that of goroutine 2, which waited to send; the report says:\n%s", strings.TrimSpace(run.Stderr))
	}
}

// manyWaiters checks that ten thousand Gs wait without a thread.
func manyWaiters(t *check.T) {
	run := t.Play("waiters.go", func(o *gmp.Options) {
		o.Machine.MemBytes = 64 << 20
		o.Trace = false
	})
	wantOutput(t, "waiters.go", run, lines(output["waiters.go"])...)
	check.Want(t, "the number of threads for ten thousand Gs that wait", run.Sched.Mnext.Get(), 1)
	if n := run.Sched.Allglen.Load(); n != 10_001 {
		t.Errorf("waiters.go made %d Gs; want 10001", n)
	}
}

// interrupted runs programs that are taken off the M after every k instructions.
// What they print must not depend on it.
func interrupted(t *check.T) {
	for k := int64(1); k <= 50; k++ {
		runsRight(t, func(o *gmp.Options) {
			o.Slice = k
			o.Trace = false
		}, fmt.Sprintf(", interrupted after every %d instructions,", k), "pingpong.go", "pipeline.go", "sieve.go", "fanin.go", "closing.go")
	}
}
