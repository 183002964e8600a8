package load_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/load"
	"gosched/chapters/sample"
)

const programs = "../../chapters/ch18_whole/programs/"

// newest is the version of the scheduler that has all of the course.
const newest = "1.26"

const procs = 4

// ours is the command that plays servers on the course's scheduler.
var ours = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gosched-load")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "ours.exe")
	out, err := exec.Command("go", "build", "-o", binary, "./ours").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return binary, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if binary, err := ours(); err == nil {
		os.RemoveAll(filepath.Dir(binary))
	}
	os.Exit(code)
}

// build builds a program for Go.
func build(file, binary string) error {
	if out, err := exec.Command("go", "build", "-o", binary, file).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// starts are the ways to start a server: on the newest scheduler of the course, and under Go.
func starts(t *testing.T) map[string]load.Start {
	if runtime.GOOS == "windows" {
		t.Skip("the host's network is for Linux and macOS")
	}
	binary, err := ours()
	require.NoError(t, err)
	dir := t.TempDir()
	var building sync.Mutex
	return map[string]load.Start{
		newest: func(ctx context.Context, program string, args ...string) (*load.Server, error) {
			return load.Ours(ctx, binary, programs+program+".go", newest, procs, args...)
		},
		"Go": func(ctx context.Context, program string, args ...string) (*load.Server, error) {
			building.Lock()
			defer building.Unlock()
			golang := filepath.Join(dir, program)
			if _, err := os.Stat(golang); err != nil {
				if err := build(programs+program+".go", golang); err != nil {
					return nil, err
				}
			}
			return load.Go(ctx, golang, procs, args...)
		},
	}
}

// Servers answer 200 clients, 5,000 requests, each with its own answer; in the chat everybody hears
// everything. They give back what they took for it, and have no more threads than they need.
func TestServersUnderLoad(t *testing.T) {
	start := starts(t)[newest]
	for program, work := range map[string]load.Work{
		"echo": load.Of("echo", 200, 5000),
		"http": load.Of("http", 200, 5000),
		"chat": load.Of("chat", 50, 2000),
	} {
		t.Run(program, func(t *testing.T) {
			var s *load.Server
			_, err := load.Serve(t.Context(), work, func() (_ *load.Server, err error) {
				s, err = start(t.Context(), program)
				return s, err
			}, procs)
			assert.NoError(t, err)
			printed, _ := s.Stop()
			assert.Regexp(t, map[string]string{"echo": "^5000 lines$", "http": "^5000 requests$", "chat": "^the room is closed$"}[program], printed)
		})
	}
}

// A client that gets a wrong answer, or none, says so.
func TestLoadNotices(t *testing.T) {
	for what, answer := range map[string]string{
		"is \"request 0 of client 1":  "request 0 of client 1\n", // somebody else's
		"unexpected EOF after \"requ": "requ",
		"EOF after \"":                "",
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		go func() {
			c, err := l.Accept()
			if err == nil {
				bufio.NewReader(c).ReadString('\n')
				io.WriteString(c, answer)
				c.Close()
			}
		}()
		_, err = load.Load{Protocol: load.Lines, Conns: 1, Requests: 10}.Run(t.Context(), l.Addr().String())
		assert.ErrorContains(t, err, what)
		l.Close()
	}
}

// Each fault leaves a server of the newest scheduler as it was, and one under Go, which shows that
// what is asked of them is right.
func TestServersMeetFaults(t *testing.T) {
	for on, start := range starts(t) {
		for _, fault := range load.Faults {
			t.Run(on+"/"+fault.Program+"/"+fault.Name, func(t *testing.T) {
				t.Parallel()
				assert.NoError(t, fault.Run(t.Context(), start, procs))
			})
		}
	}
}

// mistakes are changes of the programs, and the faults that see them.
var mistakes = []struct {
	program, was, is string // the code, of which only one place is changed
	fault            string // "" for the load
	want             string
}{
	{"http", "	in, out := bufio", "	go func() { <-make(chan int) }()\n	in, out := bufio", "a client vanishes in the middle of a request", "goroutines in the end"},
	{"http", "	in, out := bufio", "	keep(make([]byte, 4096))\n	in, out := bufio", "a client vanishes while its answer comes", "bytes in the end"},
	{"http", "	in, out := bufio", "	f, _ := os.Open(os.DevNull)\n	keep(f)\n	in, out := bufio", "a client asks, and sends no more", "descriptors in the end"},
	{"http", "time.Now().Add(s.idle)", "time.Now().Add(s.idle/2)", "a client says nothing", "the time limit of .* has passed after"},
	{"http", "		c.SetDeadline(time.Now().Add(s.head))", "		c.SetDeadline(time.Now().Add(s.head/2))", "a client sends a byte now and then", "the time limit of .* has passed after"},
	{"http", "			why = 408\n", "			return requests\n", "a client sends the second half too late", "408"},
	{"http", "c.SetWriteDeadline(time.Now().Add(s.head))", "c.SetWriteDeadline(time.Time{})", "a client does not read", "the server waits for a client that does not read"},
	{"http", "			l.Close()\n", "			l.Close()\n			os.Stdin.Close()\n", "the listener is closed under load", "client .*, request|does not say"},
	{"http", "			l.Close()\n", "", "the listener is closed under load", "closed before"},
	{"http", "			s.requests += requests", "			s.requests += requests / 2", "the server is stopped under load", "requests were answered"},
	{"http", "	<-accepting // no more come in\n", "	s.serving.Wait()\n", "the server is stopped under load", "has not ended"},
	{"echo", "		lines++\n", "		lines++\n		if lines == 7 {\n			continue\n		}\n		if lines == 8 {\n			return\n		}\n", "", "client .*, request"},
	{"chat", "				select {\n				case c.todo", "				if len(c.todo) > 1 {\n					continue\n				}\n				select {\n				case c.todo", "", "hears"},
	{"chat", "			tell(line)\n", "			if strings.Contains(line, \" 1 of\") {\n				keep(line)\n				continue\n			}\n			tell(line)\n			if strings.Contains(line, \" 2 of\") && len(kept) > 0 {\n				tell(kept[0].(string))\n				kept = kept[1:]\n			}\n", "", "hears"},
	{"chat", "					c.conn.Close() // its writer waits for it\n", "", "a guest does not listen", "i/o timeout"},
	{"chat", "				drop(c)\n				tell(", "				drop(c)\n				fmt.Sprint(", "a guest vanishes while others talk", "hears"},
}

// Each mistake of a program is seen by a fault, or by the load.
func TestMistakesAreSeen(t *testing.T) {
	starts(t) // or skip
	defer func(was time.Duration) { load.Patience = was }(load.Patience)
	load.Patience = 10 * time.Second
	dir := t.TempDir()
	for i, m := range sample.Deal(0, 5, mistakes) {
		source, err := os.ReadFile(programs + m.program + ".go")
		require.NoError(t, err)
		require.Contains(t, string(source), m.was)
		text := strings.Replace(string(source), m.was, m.is, 1) +
			"\nvar kept []any\n\nvar keeping sync.Mutex\n\nfunc keep(x any) {\n	keeping.Lock()\n	kept = append(kept, x)\n	keeping.Unlock()\n}\n"
		file, binary := filepath.Join(dir, fmt.Sprint(i, ".go")), filepath.Join(dir, fmt.Sprint("mistake", i))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		require.NoError(t, build(file, binary))
		start := func(ctx context.Context, _ string, args ...string) (*load.Server, error) {
			return load.Go(ctx, binary, procs, args...)
		}
		if m.fault == "" {
			_, err = load.Serve(t.Context(), load.Of(m.program, 20, 1000), func() (*load.Server, error) { return start(t.Context(), "") }, procs)
		}
		for _, fault := range load.Faults {
			if fault.Program == m.program && fault.Name == m.fault {
				err = fault.Run(t.Context(), start, procs)
			}
		}
		if assert.Error(t, err, "%s with %q instead of %q", m.program, m.is, m.was) {
			assert.Regexp(t, m.want, err.Error(), "%s with %q instead of %q", m.program, m.is, m.was)
		}
	}
}

// What a server keeps is goroutines, descriptors, memory, or threads.
func TestKept(t *testing.T) {
	before := load.Usage{Goroutines: 2, Bytes: 10_000, Files: 12, Threads: 9}
	assert.NoError(t, before.Kept(load.Usage{Goroutines: 2, Bytes: 150_000, Files: 11, Threads: 40}, 4, 40))
	for want, now := range map[string]load.Usage{
		"the server has 1 goroutines in the end, and had 2":        {Goroutines: 1, Bytes: 10_000, Files: 12, Threads: 9},
		"the server has 13 descriptors in the end, and had 12":     {Goroutines: 2, Bytes: 10_000, Files: 13, Threads: 9},
		"the server uses 300000 bytes in the end, and used 10000":  {Goroutines: 2, Bytes: 300_000, Files: 12, Threads: 9},
		"the server has 53 threads in the end, and needs no more ": {Goroutines: 2, Bytes: 10_000, Files: 12, Threads: 53},
	} {
		assert.ErrorContains(t, before.Kept(now, 4, 40), want)
	}
}
