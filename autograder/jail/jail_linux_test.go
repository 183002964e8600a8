package jail

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// levels runs a test at each level from lowest on. A level that this system cannot have is
// skipped, with the reason.
func levels(t *testing.T, lowest Level, test func(t *testing.T, level Level)) {
	for level := lowest; level <= Bubble; level++ {
		t.Run(strconv.Itoa(int(level)), func(t *testing.T) {
			if why := lacking(level); why != "" {
				t.Skip(why)
			}
			test(t, level)
		})
	}
}

// lacking says what this system lacks for a level, "" if nothing. It does not ask this package,
// whose mistakes would then be reasons to skip its tests.
func lacking(level Level) string {
	switch {
	case level >= Restricted && landlockVersion() == 0:
		return "the kernel has no Landlock"
	case level >= Restricted && !seccomp.Supported():
		return "the kernel has no seccomp"
	case level >= Bubble:
		return bubblewrapFails()
	}
	return ""
}

var bubblewrapFails = sync.OnceValue(func() string {
	out, err := exec.Command("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--", program, "exit").CombinedOutput()
	if err != nil {
		return fmt.Sprintf("bubblewrap does not work: %v: %s", err, out)
	}
	return ""
})

// What a child can do at level 0 on this system, it cannot do above.
func TestRefusals(t *testing.T) {
	here, err := os.Getwd()
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	socket := filepath.Join(t.TempDir(), "socket")
	local, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer local.Close()
	for _, try := range [][]string{
		{"read", "/etc/passwd"},
		{"read", filepath.Join(here, "jail.go")},
		{"list", filepath.Dir(filepath.Dir(here))},
		{"list", "/"},
		{"read", fmt.Sprintf("/proc/%d/environ", os.Getpid())},
		{"list", "/proc/self"},
		{"parents-memory", strconv.Itoa(os.Getpid())},
		{"write", filepath.Join(t.TempDir(), "file")},
		{"write", filepath.Join(filepath.Dir(program), "beside")},
		{"connect", listener.Addr().String()},
		{"listen"},
		{"udp", listener.Addr().String()},
		{"unix", socket},
		{"start", program},
		{"forks"},
		{"leave"},
		{"kill", strconv.Itoa(startVictim(t))},
		{"call", "fork"},
		{"call", "memfd_create"},
		{"call", "setsid"},
		{"call", "netlink"},
		{"call", "shared memory"},
		{"call", "growing memory"},
		{"call", "kill group"},
		{"call", "own by parent"},
	} {
		t.Run(strings.Join(try, " "), func(t *testing.T) {
			levels(t, Process, func(t *testing.T, level Level) {
				out, end := run(t, Child{Level: level, Dump: time.Millisecond}, try...)
				want := "refused: "
				if level == Process {
					want = "done: "
					if try[0] == "call" && try[1] == "setsid" {
						want = "refused: EPERM" // it leads its process group
					}
				}
				assert.Contains(t, out, want)
				assert.Equal(t, End{}, end)
			})
		})
	}
}

// startVictim starts a process that somebody may try to kill, and returns its id.
func startVictim(t *testing.T) int {
	p, err := os.StartProcess(program, []string{program, "wait"}, &os.ProcAttr{})
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = p.Kill() // it may be gone
		_, _ = p.Wait()
	})
	return p.Pid
}

// These system calls are refused above level 0 whatever rights the user has.
func TestRefusedCalls(t *testing.T) {
	for name, want := range map[string]string{
		"io_uring_setup": "EPERM",
		"unshare":        "EPERM",
		"pidfd_open":     "EPERM",
		"bpf":            "EPERM",
		"truncate":       "EPERM",
		"kill all":       "EPERM",
		"kill thread":    "EPERM",
		"set limit":      "EPERM",
		"ioctl":          "EPERM",
		"keyctl":         "EPERM",
		"mount":          "EPERM",
		"chroot":         "EPERM",
		"clone3":         "ENOSYS", // C libraries then take clone
	} {
		t.Run(name, func(t *testing.T) {
			levels(t, Restricted, func(t *testing.T, level Level) {
				out, _ := run(t, Child{Level: level}, "call", name)
				assert.Equal(t, "refused: "+want, out)
			})
		})
	}
}

// A child cannot become another program, but may become itself, and is then as restricted.
func TestBecomesOnlyItself(t *testing.T) {
	levels(t, Restricted, func(t *testing.T, level Level) {
		out, _ := run(t, Child{Level: level}, "become", "/bin/true")
		assert.Contains(t, out, "refused: ")
		out, end := run(t, Child{Level: level}, "become", program)
		assert.Equal(t, "done: exit", out)
		assert.Equal(t, End{}, end)
	})
}

// A child that may start programs starts those, and has no more rights by that, nor have they.
func TestPrograms(t *testing.T) {
	levels(t, Restricted, func(t *testing.T, level Level) {
		child := Child{Level: level, Limits: Limits{Programs: []string{program}}}
		out, end := run(t, child, "start", program)
		assert.Equal(t, "done: done: exit", out)
		assert.Equal(t, End{}, end)
		for _, try := range [][]string{
			{"start", "/bin/true"}, {"become-copy"}, {"read", "/etc/passwd"}, {"write", program}, {"listen"}, {"udp", "127.0.0.1:9"},
			{"call", "unshare"}, {"call", "setsid"}, {"call", "kill all"}, {"call", "bpf"}, {"call", "mount"}, {"call", "new user"},
		} {
			out, _ := run(t, child, try...)
			assert.Contains(t, out, "refused: ", "%q", try)
		}
	})
}

// What a child writes, it cannot execute.
func TestBecomesWhatItWrote(t *testing.T) {
	levels(t, Process, func(t *testing.T, level Level) {
		out, _ := run(t, Child{Level: level}, "become-copy")
		if level == Process {
			assert.Equal(t, "done: exit", out)
		} else {
			assert.Contains(t, out, "refused: permission denied")
		}
	})
}

// Above level 0 root has no more rights than others.
func TestCapabilities(t *testing.T) {
	levels(t, Restricted, func(t *testing.T, level Level) {
		out, _ := run(t, Child{Level: level}, "capabilities")
		assert.Equal(t, "done: 0", out)
	})
}

// In a container or a pod of ours a child is as restricted as at level 1, and is where it should be.
func TestInContainer(t *testing.T) {
	if why := lacking(Restricted); why != "" {
		t.Skip(why)
	}
	dir := t.TempDir()
	for _, level := range []Level{Container, Pod} {
		out, _ := run(t, Child{Level: level, Dir: dir}, "where")
		assert.Equal(t, "done: "+dir, out)
		out, _ = run(t, Child{Level: level}, "read", "/etc/passwd")
		assert.Contains(t, out, "refused: ")
	}
}

// At level 2 there are no other processes, and no other files.
func TestBubble(t *testing.T) {
	levels(t, Bubble, func(t *testing.T, level Level) {
		out, _ := run(t, Child{Level: level}, "process")
		assert.Equal(t, "done: 1", out)
		out, _ = run(t, Child{Level: level}, "read", "/etc/passwd")
		assert.Contains(t, out, "no such file")
	})
}

// The parent of a child is this test. At level 2 it is nobody.
func TestKillsParent(t *testing.T) {
	levels(t, Restricted, func(t *testing.T, level Level) {
		out, _ := run(t, Child{Level: level}, "kill-parent")
		assert.Equal(t, "refused: operation not permitted", out)
	})
}

// What a check needs, a child has at every level.
func TestWhatIsGiven(t *testing.T) {
	levels(t, Process, func(t *testing.T, level Level) {
		dir := t.TempDir()
		name := filepath.Join(dir, "file")
		require.NoError(t, os.WriteFile(name, []byte("text"), 0o644))

		out, _ := run(t, Child{Level: level, Limits: Limits{Read: []string{name}}}, "read", name)
		assert.Equal(t, "done: 4", out, "a file to read")
		out, _ = run(t, Child{Level: level, Limits: Limits{Read: []string{dir}}}, "read", name)
		assert.Equal(t, "done: 4", out, "a folder to read")
		out, _ = run(t, Child{Level: level, Limits: Limits{Write: []string{name}}}, "write", name)
		assert.Equal(t, "done: 1", out, "a file to write")
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, "x", string(text))
		out, _ = run(t, Child{Level: level, Dir: dir}, "where")
		assert.Equal(t, "done: "+dir, out, "the working folder, even if it may not be read")
		out, _ = run(t, Child{Level: level}, "temp")
		temp := strings.TrimPrefix(out, "done: ")
		assert.True(t, strings.HasPrefix(temp, "/"), out)
		assert.NoDirExists(t, temp)
		out, _ = run(t, Child{Level: level}, "environment")
		assert.Equal(t, "done: [GOMAXPROCS HOME TEMP TMP TMPDIR TZ]", out)
		out, _ = run(t, Child{Level: level}, "input")
		assert.Equal(t, "done: 0", out)
		out, _ = run(t, Child{Level: level}, "call", "own kill")
		assert.Equal(t, "done: own kill", out)
		_, end := run(t, Child{Level: level}, "status", "7")
		assert.Equal(t, End{Code: 7}, end)
		out, end = run(t, Child{Level: level}, "crash")
		assert.Equal(t, End{Code: 2}, end)
		assert.Contains(t, out, "panic: on purpose")
	})
	// Above level 0, a file to read is not one to write.
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte("text"), 0o644))
	levels(t, Restricted, func(t *testing.T, level Level) {
		out, _ := run(t, Child{Level: level, Limits: Limits{Read: []string{name}}}, "write", name)
		assert.Contains(t, out, "refused: ")
	})
}

// A child inherits the descriptors that it is given, and none that this program has besides.
func TestDescriptors(t *testing.T) {
	levels(t, Process, func(t *testing.T, level Level) {
		read, write, err := os.Pipe()
		require.NoError(t, err)
		defer read.Close()
		out, _ := run(t, Child{Level: level, Files: []*os.File{write}}, "pass")
		assert.Equal(t, "done: 3", out)
		write.Close()
		var text bytes.Buffer
		_, err = text.ReadFrom(read)
		require.NoError(t, err)
		assert.Equal(t, "through descriptor 3", text.String())

		out, _ = run(t, Child{Level: level}, "descriptors")
		assert.Equal(t, "done: []", out)
	})
	inherited, err := syscall.Open(program, syscall.O_RDONLY, 0) // without O_CLOEXEC
	require.NoError(t, err)
	defer syscall.Close(inherited)
	levels(t, Restricted, func(t *testing.T, level Level) {
		out, _ := run(t, Child{Level: level}, "descriptors")
		assert.Equal(t, "done: []", out, "what is open in the parent by mistake")
	})
}

func TestMemory(t *testing.T) {
	levels(t, Process, func(t *testing.T, level Level) {
		out, end := run(t, Child{Level: level, Limits: Limits{Memory: 256 << 20}}, "memory", "10000")
		assert.Equal(t, 2, end.Code)
		assert.Regexp(t, "out of memory|cannot allocate memory", out)
		out, _ = run(t, Child{Level: level, Limits: Limits{Memory: 256 << 20}}, "memory", "100")
		assert.Equal(t, "done: 100", out)
	})
}

func TestFiles(t *testing.T) {
	levels(t, Process, func(t *testing.T, level Level) {
		out, _ := run(t, Child{Level: level, Limits: Limits{Files: 50}}, "open", "30")
		assert.Equal(t, "done: 30", out)
		if level == Process {
			return // the limit is set when it runs already, and Go has raised its own
		}
		out, _ = run(t, Child{Level: level, Limits: Limits{Files: 50}}, "open", "60")
		assert.Contains(t, out, "too many open files")
	})
}

func TestThreads(t *testing.T) {
	levels(t, Process, func(t *testing.T, level Level) {
		_, end := run(t, Child{Level: level, Limits: Limits{Threads: 300}}, "threads", "500")
		assert.Equal(t, "threads", end.Excess)
	})
}

// The temporary folder has no more room than it is said to have: at level 2 the system says so.
func TestFillsDisk(t *testing.T) {
	limits := Limits{Disk: 20 << 20}
	levels(t, Process, func(t *testing.T, level Level) {
		out, end := run(t, Child{Level: level, Limits: limits}, "fill")
		if level == Bubble {
			assert.Contains(t, out, "no space left on device")
			assert.True(t, end.OK())
		} else {
			assert.Equal(t, "space on the disk", end.Excess)
		}
	})
	levels(t, Process, func(t *testing.T, level Level) {
		if level < Bubble { // there the system has a limit of its own
			_, end := run(t, Child{Level: level, Limits: Limits{Disk: 1 << 20}}, "litter")
			assert.Equal(t, "space on the disk", end.Excess, "an empty file needs room, too")
			_, end = run(t, Child{Level: level, Limits: limits}, "hide")
			assert.Equal(t, "space on the disk", end.Excess, "and so does one that is open and has no name any more")
		}
		out, end := run(t, Child{Level: level, Limits: Limits{FileSize: 1000}}, "fill")
		assert.Regexp(t, "file too large|file size limit exceeded", out)
		assert.Empty(t, end.Excess)
	})
}

func TestTime(t *testing.T) {
	levels(t, Process, func(t *testing.T, level Level) {
		var used time.Duration
		_, end := run(t, Child{Level: level, Limits: Limits{CPU: time.Second}, Used: &used}, "spin")
		assert.GreaterOrEqual(t, used, time.Second)
		assert.Equal(t, -1, end.Code)
		assert.Contains(t, []string{"CPU time limit exceeded", "killed"}, end.Signal)
	})
}

// When its time is over, a child writes the stacks of its goroutines, unless it does not obey.
func TestDump(t *testing.T) {
	levels(t, Process, func(t *testing.T, level Level) {
		out := late(t, level, longest, "wait")
		assert.Contains(t, out, "SIGQUIT")
		assert.Contains(t, out, "main.main")
		assert.Empty(t, late(t, level, 10*time.Millisecond, "ignore"))
	})
}

// late runs a child whose time is over as soon as it runs, and returns what it printed.
func late(t *testing.T, level Level, dump time.Duration, args ...string) string {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &began{began: cancel}
	end, err := Child{Level: level, Path: program, Args: args, Output: out, Dump: dump}.Run(ctx)
	require.NoError(t, err)
	assert.False(t, end.OK())
	return strings.TrimPrefix(out.text.String(), "begins\n")
}

// began calls a function when something is written to it.
type began struct {
	text  strings.Builder // not embedded: exec.Cmd would find other methods than Write
	began func()
}

func (b *began) Write(p []byte) (int, error) {
	b.began()
	return b.text.Write(p)
}

// A child that is killed for good takes with it what it has started: at level 0 its group.
func TestLeavesNothing(t *testing.T) {
	out, _ := run(t, Child{}, "leave")
	pid, err := strconv.Atoi(regexp.MustCompile(`done: (\d+)`).FindStringSubmatch(out)[1])
	require.NoError(t, err)
	assert.Eventually(t, func() bool { return !alive(pid) }, longest, time.Millisecond, "process %d, which the child has started, lives on", pid)
}

// alive reports whether a process is there and has not ended.
func alive(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(status), ") Z ")
}

func TestHighest(t *testing.T) {
	level, why := Highest(context.Background())
	t.Log(level, why)
	want := Process
	for want < Bubble && lacking(want+1) == "" {
		want++
	}
	assert.Equal(t, want, level, why)
	for l := level + 1; l <= Pod; l++ {
		assert.Contains(t, strings.Join(why, "\n"), fmt.Sprintf("no level %v", l))
	}
	t.Setenv(SurroundingsEnv, "pod")
	inside, why := Highest(context.Background())
	if level == Process {
		assert.Equal(t, Process, inside)
		assert.Contains(t, strings.Join(why, "\n"), "does not hold inside")
	} else {
		assert.Equal(t, Pod, inside)
	}
}

// A program that does not call Launch is told so. Its launcher would be itself once more.
func TestForgetsLaunch(t *testing.T) {
	defer func() { ready = true }()
	ready = false
	_, err := Child{Level: Restricted, Path: program, Args: []string{"exit"}}.Run(context.Background())
	assert.ErrorContains(t, err, "does not call jail.Launch")
}

// What is wrong with the system is an error, and not a result of the child.
func TestCannotBeStarted(t *testing.T) {
	levels(t, Restricted, func(t *testing.T, level Level) {
		_, err := Child{Level: level, Path: program, Limits: Limits{Read: []string{"/no/such/file"}}}.Run(context.Background())
		assert.ErrorContains(t, err, "/no/such/file")
	})
	t.Setenv("PATH", "")
	_, err := Child{Level: Bubble, Path: program}.Run(context.Background())
	assert.ErrorContains(t, err, "bubblewrap is not installed")
}
