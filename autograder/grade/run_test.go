package grade

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/jail"
	"gosched/chapters/check"
)

// fakeEnv makes this test binary behave as a child that runs a check.
const fakeEnv = "GOSCHED_FAKE_CHILD"

func TestMain(m *testing.M) {
	jail.Launch()
	if behave := fakes[os.Getenv(fakeEnv)]; behave != nil {
		if err := json.NewDecoder(os.Stdin).Decode(&order); err != nil {
			panic(err)
		}
		behave()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// order is that of a child.
var order check.Order

// record writes a line to the file of results, as a suite does.
func record(line string) {
	forge(string(order.Seal([]byte(line))))
}

// forge writes a line to the file of results.
func forge(line string) {
	f, err := os.OpenFile(order.Results, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintln(f, line)
	}
	if err != nil {
		panic(err)
	}
}

const (
	startLine = `{"event":"start","check":"ch07/fifo"}`
	passLine  = `{"event":"end","check":"ch07/fifo","status":"pass"}`
	failLine  = `{"event":"end","check":"ch07/fifo","status":"fail","message":"G 2 came first","evidence":"a log"}`
)

var fakes = map[string]func(){
	"pass": func() { record(startLine); record(passLine) },
	"pass with evidence": func() {
		record(startLine)
		record(`{"event":"end","check":"ch07/fifo","status":"pass","evidence":"it is fine"}`)
	},
	"fail": func() { record(startLine); record(failLine); os.Exit(1) },
	"model": func() {
		record(startLine)
		end, _ := json.Marshal(check.Record{Event: "end", Check: "ch07/fifo", Status: check.Fail, Story: lostG(), Log: played()})
		record(string(end))
		os.Exit(1)
	},
	"todo": func() {
		record(startLine)
		record(`{"event":"end","check":"ch07/fifo","status":"todo","message":"Runqput is not written yet"}`)
		os.Exit(1)
	},
	"timeout": func() {
		record(startLine)
		record(`{"event":"end","check":"ch07/fifo","status":"timeout","message":"it did not end within 1s"}`)
		os.Exit(1)
	},
	"panic": func() {
		record(startLine)
		fmt.Fprint(os.Stderr, "before\npanic: index out of range [recovered]\n\ngoroutine 5 [running]:\n"+
			"testing.tRunner()\n\t/go/src/testing/testing.go:12 +0x1\n"+
			"gosched/exercises/ch07_runq.(*runQueue).Runqput()\n\t/home/ann/gosched/exercises/ch07_runq/runq.go:31 +0x2c\n")
		os.Exit(2)
	},
	"no memory for a thread": func() {
		record(startLine)
		fmt.Fprint(os.Stderr, "runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\nPC=0x7f07a406feec m=0\n")
		os.Exit(2)
	},
	"the runtime faults": func() {
		record(startLine)
		fmt.Fprint(os.Stderr, "SIGSEGV: segmentation violation\nPC=0x437bfd m=4 sigcode=1 addr=0x0\n\ngoroutine 0 gp=0x798dcd3f680 m=4 mp=0x798dcd93808 [idle]:\n"+
			"runtime.(*spanQueue).tryDrain()\n\t/go/src/runtime/mgcmark_greenteagc.go:520 +0x5d\n\n"+
			"gosched/exercises/ch07_runq.(*runQueue).Runqput()\n\t/home/ann/gosched/exercises/ch07_runq/runq.go:31 +0x2c\n")
		os.Exit(2)
	},
	"os.Exit":       func() { record(startLine); os.Exit(7) },
	"os.Exit(0)":    func() { record(startLine) },
	"killed":        func() { record(startLine); p, _ := os.FindProcess(os.Getpid()); _ = p.Kill(); select {} },
	"hangs":         func() { record(startLine); fmt.Println("I hang"); time.Sleep(time.Hour) },
	"never starts":  func() { fmt.Println("testing: warning: no tests to run\nPASS") },
	"forged stdout": func() { fmt.Println(startLine); fmt.Println(passLine); fmt.Println("PASS\nok") },
	"forged end":    func() { record(startLine); forge(passLine) },
	"forged start":  func() { forge(startLine); forge(passLine); record(startLine); record(failLine) },
	"guessed nonce": func() { record(startLine); forge(string((&check.Order{}).Seal([]byte(passLine)))) },
	"changed record": func() {
		record(startLine)
		forge(strings.Replace(string(order.Seal([]byte(failLine))), `"fail"`, `"pass"`, 1))
	},
	"no seal":        func() { record(startLine); forge(passLine) },
	"too much":       func() { record(startLine); forge(strings.Repeat("x", resultsLimit)) },
	"two ends":       func() { record(startLine); record(failLine); record(passLine) },
	"two starts":     func() { record(startLine); record(startLine); record(passLine) },
	"only an end":    func() { record(passLine) },
	"other check":    func() { record(startLine); record(`{"event":"end","check":"ch07/lifo","status":"pass"}`) },
	"no JSON":        func() { record("PASS"); record(startLine); record(passLine) },
	"unknown status": func() { record(startLine); record(`{"event":"end","check":"ch07/fifo","status":"great"}`) },
	"unknown event":  func() { record(startLine); record(`{"event":"middle","check":"ch07/fifo"}`) },
	"no file":        func() { record(startLine); os.Remove(order.Results); os.Mkdir(order.Results, 0o755) },
	"dies after": func() {
		record(startLine)
		record(passLine)
		fmt.Fprintln(os.Stderr, "fatal error: all goroutines are asleep")
		os.Exit(2)
	},
	"hangs after": func() { record(startLine); record(passLine); time.Sleep(time.Hour) },
	"talks": func() {
		record(startLine)
		line := strings.Repeat("x", 1023) + "\n"
		for range 10 << 10 {
			fmt.Print(line)
		}
		fmt.Println("the end")
		os.Exit(3)
	},
	"eats": func() {
		record(startLine)
		var all [][]byte
		for {
			all = append(all, make([]byte, 64<<20))
		}
	},
}

// fake is the environment of a child that behaves so. It takes the order itself, so that package
// check does not.
func fake(behaviour string) []string {
	return []string{fakeEnv + "=" + behaviour, check.OrderEnv + "="}
}

func runFake(t *testing.T, behaviour string, deadline time.Duration) verdict {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	return child{
		binary: binary, dir: t.TempDir(), pattern: "^Test$/^fifo$", id: "ch07/fifo",
		deadline: deadline, testFile: "exercises/ch07_runq/ch07_test.go", env: fake(behaviour),
	}.run(context.Background())
}

func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		behaviour string
		status    check.Status
		message   string
	}{
		{"pass", check.Pass, ""},
		{"fail", check.Fail, "G 2 came first"},
		{"todo", check.Todo, "Runqput is not written yet"},
		{"timeout", check.Timeout, "it did not end within 1s"},
		{"panic", check.Fail, "the process ended with exit status 2 before the check did: panic: index out of range [recovered], at exercises/ch07_runq/runq.go:31"},
		{"no memory for a thread", check.Fail, "the process ended with exit status 2 before the check did: runtime/cgo: pthread_create failed: Resource temporarily unavailable"},
		{"the runtime faults", check.Fail, "the process ended with exit status 2 before the check did: SIGSEGV: segmentation violation, at exercises/ch07_runq/runq.go:31"},
		{"os.Exit", check.Fail, "the process ended with exit status 7 before the check did"},
		{"os.Exit(0)", check.Fail, "the process ended with exit status 0 before the check did"},
		{"never starts", check.Fail, "the check was never started: exercises/ch07_runq/ch07_test.go should run it and does not"},
		{"forged stdout", check.Fail, "the check was never started: exercises/ch07_runq/ch07_test.go should run it and does not"},
		{"forged end", check.Fail, `the results of the check cannot be trusted: they hold a line that its suite has not written`},
		{"forged start", check.Fail, `the results of the check cannot be trusted: they hold a line that its suite has not written`},
		{"guessed nonce", check.Fail, `the results of the check cannot be trusted: they hold a line that its suite has not written`},
		{"changed record", check.Fail, `the results of the check cannot be trusted: they hold a line that its suite has not written`},
		{"too much", check.Fail, "the results of the check cannot be trusted: they are longer than 64 MiB"},
		{"two ends", check.Fail, "the results of the check cannot be trusted: they hold 1 starts and 2 ends of it, and must hold one of each"},
		{"two starts", check.Fail, "the results of the check cannot be trusted: they hold 2 starts and 1 ends of it, and must hold one of each"},
		{"only an end", check.Fail, "the results of the check cannot be trusted: they hold an end of it before its start"},
		{"other check", check.Fail, `the results of the check cannot be trusted: they hold a record of "ch07/lifo"`},
		{"no JSON", check.Fail, `the results of the check cannot be trusted: they hold the line "PASS"`},
		{"unknown status", check.Fail, `the results of the check cannot be trusted: they hold the unknown status "great"`},
		{"unknown event", check.Fail, `the results of the check cannot be trusted: they hold the unknown event "middle"`},
		{"no file", check.Fail, "the results of the check cannot be trusted: the file that should hold them is gone, or is no longer a plain file"},
		{"dies after", check.Fail, "the check had finished, but then the process ended with exit status 2: fatal error: all goroutines are asleep"},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			t.Parallel()
			got := runFake(t, tt.behaviour, 0)
			assert.Equal(t, tt.status, got.status)
			assert.Equal(t, tt.message, got.message)
		})
	}
}

func TestEvidence(t *testing.T) {
	assert.Equal(t, "a log", runFake(t, "fail", 0).evidence)
	assert.Equal(t, verdict{status: check.Pass}, runFake(t, "pass with evidence", 0), "which nobody reads")
	model := runFake(t, "model", 0)
	assert.Equal(t, lostG(), model.story)
	assert.Equal(t, played(), model.log)
	var c Check
	c.set(model)
	assert.Equal(t, Check{Status: check.Fail, Replay: "1:01", Story: model.story, Log: model.log}, c)
	c.set(runFake(t, "fail", 0))
	assert.Equal(t, Check{Status: check.Fail, Message: "G 2 came first", Evidence: "a log"}, c)
	assert.Contains(t, runFake(t, "panic", 0).evidence, "runq.go:31")
}

// A process past its deadline is ended. The deadline is negative so as to leave
// it half a second of the grace.
func TestHangs(t *testing.T) {
	const soon = time.Duration(time.Second/2-grace) / check.Longest
	for _, tt := range []struct {
		behaviour string
		status    check.Status
		message   string
	}{
		{"hangs", check.Timeout, "it did not end within -1.125s, and could not be given up; its process was ended"},
		{"hangs after", check.Timeout, "the check had finished, but its process did not end within -1.125s"},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			t.Parallel()
			got := runFake(t, tt.behaviour, soon)
			assert.Equal(t, tt.status, got.status)
			assert.Equal(t, tt.message, got.message)
		})
	}
	t.Run("its goroutines are evidence", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("a process cannot be asked for its goroutines on Windows")
		}
		var got verdict
		for limit := soon; !strings.Contains(got.evidence, "I hang\n") && limit < 16*time.Second; limit += time.Second {
			got = runFake(t, "hangs", limit) // on a busy computer it may be over before it hangs
		}
		assert.Contains(t, got.evidence, "I hang\n")
		assert.Contains(t, got.evidence, "time.Sleep")
	})
}

func TestKilled(t *testing.T) {
	got := runFake(t, "killed", 0)
	assert.Equal(t, check.Fail, got.status)
	assert.Contains(t, got.message, "the process was ended by the signal")
}

func TestTalksEndlessly(t *testing.T) {
	got := runFake(t, "talks", 0)
	assert.Equal(t, check.Fail, got.status)
	assert.Less(t, len(got.evidence), 4*outputLimit)
	assert.Contains(t, got.evidence, "bytes left out")
	assert.True(t, strings.HasSuffix(got.evidence, "x\nthe end\n"))
}

func TestInterrupted(t *testing.T) {
	binary, err := os.Executable()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second/2)
	defer cancel()
	got := child{binary: binary, dir: t.TempDir(), id: "ch07/fifo", env: fake("hangs")}.run(ctx)
	assert.Equal(t, verdict{status: check.Blocked, message: "the grading was interrupted"}, got)
}

func TestNoBinary(t *testing.T) {
	got := child{binary: "/no/such/binary", dir: t.TempDir()}.run(context.Background())
	assert.Equal(t, check.InternalError, got.status)
	assert.Contains(t, got.message, "the check could not be started: ")
}
