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
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/load"
)

const programs = "../../chapters/ch18_whole/programs/"

// patience is after what time a test is sure that something waits for ever.
const patience = 3 * time.Minute

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

// serve starts a program of chapter 18 on the course's scheduler.
func serve(t *testing.T, ctx context.Context, name string, procs int, args ...string) *load.Server {
	if runtime.GOOS == "windows" {
		t.Skip("the host's network is for Linux and macOS")
	}
	binary, err := ours()
	require.NoError(t, err)
	s, err := load.Ours(ctx, binary, programs+name+".go", "1.14", procs, args...)
	require.NoError(t, err)
	return s
}

// Servers answer 200 clients, 5,000 requests, each with its own answer.
func TestServersUnderLoad(t *testing.T) {
	for name, protocol := range load.Protocols {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			s := serve(t, ctx, name, 4)
			_, err := load.Load{Protocol: protocol, Conns: 200, Requests: 5000}.Run(ctx, s.Addr)
			assert.NoError(t, err)
			rest, err := s.Stop()
			assert.NoError(t, err)
			assert.Regexp(t, "^5000 ", rest)
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

// usage is what a server has at a moment when it has nothing to do.
type usage struct{ goroutines, bytes, files, threads int }

func used(t *testing.T, s *load.Server) (u usage) {
	var err error
	u.goroutines, u.bytes, err = s.Usage()
	require.NoError(t, err)
	count := func(dir string) int {
		entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/%s", s.Pid(), dir))
		return len(entries)
	}
	u.files, u.threads = count("fd"), count("task")
	return u
}

// How many clients have a fault, and how long a connection of the server may be idle, and a
// request may take to come.
const (
	times     = 20
	timeLimit = 2 * time.Second // long enough for those without a fault on a computer that is busy
)

// The faults that a server meets: each function is one client, the i-th, which returns when the
// server has nothing more to do with it.
var faults = map[string]func(t *testing.T, addr string, i int){
	"vanishes in the middle of a request": func(t *testing.T, addr string, i int) {
		c := dial(t, addr)
		io.WriteString(c, "POST /echo HTTP/1.1\r\nHost: h")
		c.SetLinger(0) // so that Close resets it
		c.Close()
	},
	"vanishes while its answer comes": func(t *testing.T, addr string, i int) {
		c := dial(t, addr)
		fmt.Fprintf(c, "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n", 1<<19)
		c.Write(make([]byte, 1<<19))
		c.SetLinger(0)
		c.Close()
	},
	"asks, and sends no more": func(t *testing.T, addr string, i int) {
		c := dial(t, addr)
		defer c.Close()
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: here\r\n\r\n")
		c.CloseWrite()
		answer, err := io.ReadAll(c)
		assert.NoError(t, err)
		assert.Contains(t, string(answer), "\r\n\r\nHello.\n")
	},
	"says nothing": func(t *testing.T, addr string, i int) {
		c := dial(t, addr)
		defer c.Close()
		answer, err := io.ReadAll(c)
		assert.NoError(t, err)
		assert.Empty(t, answer)
	},
	"sends a byte now and then": func(t *testing.T, addr string, i int) {
		c := dial(t, addr)
		defer c.Close()
		done := make(chan bool)
		go func() {
			defer close(done)
			for range 10_000 { // it would take 50 seconds
				if _, err := io.WriteString(c, "a"); err != nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
			t.Error("the server has let it go on")
		}()
		answer, _ := io.ReadAll(c) // the end, or a reset
		assert.Contains(t, string(answer), "408 Request Timeout")
		<-done
	},
	"is as slow as the server permits": func(t *testing.T, addr string, i int) {
		c := dial(t, addr)
		defer c.Close()
		io.WriteString(c, "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\n01234")
		time.Sleep(timeLimit + time.Duration(i-times/2)*time.Millisecond)
		io.WriteString(c, "56789") // the deadline may pass while it comes
		c.CloseWrite()
		answer, _ := io.ReadAll(c)
		if string(answer) != "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n0123456789" {
			assert.Regexp(t, "^HTTP/1.1 408 ", string(answer))
		}
	},
	"does not read": func(t *testing.T, addr string, i int) {
		c := dial(t, addr)
		defer c.Close()
		c.SetReadBuffer(4096)
		for range 10_000 {
			c.SetWriteDeadline(time.Now().Add(patience))
			fmt.Fprintf(c, "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n", 1<<16)
			if _, err := c.Write(make([]byte, 1<<16)); err != nil {
				assert.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the server waits for it")
				return
			}
		}
		t.Error("the server has taken everything")
	},
}

func dial(t *testing.T, addr string) *net.TCPConn {
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	return c.(*net.TCPConn)
}

// A server that has met all sorts of faults, under load, gives back what they took:
// goroutines, descriptors, memory, and it has no more threads than it needs.
func TestServerMeetsFaults(t *testing.T) {
	ms := strconv.FormatInt(timeLimit.Milliseconds(), 10)
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			s := serve(t, ctx, "http", 2, "-idle", ms, "-request", ms)
			l := load.Load{Protocol: load.HTTP, Conns: 20, Requests: 200}
			_, err := l.Run(ctx, s.Addr) // whatever a server keeps it has from now on
			require.NoError(t, err)
			before := settled(t, s, usage{goroutines: 2})
			var clients sync.WaitGroup
			clients.Go(func() {
				_, err := l.Run(ctx, s.Addr)
				assert.NoError(t, err, "others are served all the same")
			})
			for i := range times {
				clients.Go(func() { fault(t, s.Addr, i) })
			}
			clients.Wait()
			after := settled(t, s, before)
			assert.Equal(t, before.goroutines, after.goroutines, "goroutines")
			assert.LessOrEqual(t, after.files, before.files, "descriptors")
			// A few objects may seem to be in use, since something on a stack looks like a pointer.
			assert.LessOrEqual(t, after.bytes, before.bytes+1<<18, "bytes")
			assert.Less(t, after.threads, before.threads+times/2, "threads")
			_, err = s.Stop()
			assert.NoError(t, err)
		})
	}
}

// A server that is stopped under load ends, and no client waits for it.
func TestStopUnderLoad(t *testing.T) {
	for name, protocol := range load.Protocols {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			s := serve(t, ctx, name, 4)
			ended := make(chan error)
			go func() {
				_, err := load.Load{Protocol: protocol, Conns: 50, Requests: 50_000_000}.Run(ctx, s.Addr)
				ended <- err
			}()
			time.Sleep(100 * time.Millisecond) // whatever it is doing then
			_, err := s.Stop()
			assert.NoError(t, err)
			assert.Error(t, <-ended)
			assert.NoError(t, ctx.Err())
		})
	}
}

// settled waits until the server has no more goroutines and descriptors than want says, or for
// half a minute, and returns what it has.
func settled(t *testing.T, s *load.Server, want usage) usage {
	for range 600 {
		if u := used(t, s); u.goroutines <= want.goroutines && (want.files == 0 || u.files <= want.files) {
			return u
		}
		time.Sleep(50 * time.Millisecond)
	}
	return used(t, s)
}
