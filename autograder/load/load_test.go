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
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/load"
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
				if out, err := exec.Command("go", "build", "-o", golang, programs+program+".go").CombinedOutput(); err != nil {
					return nil, fmt.Errorf("%w: %s", err, out)
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
