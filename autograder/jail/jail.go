// Package jail starts a program that nobody vouches for, a test binary with a student's code
// in it, as a child that can do little besides computing, and ends it whatever it does.
//
// How little depends on the system; the levels are a ladder, and each has what is below it:
//
//	0  any system       a process group of its own that is killed as a whole; an environment, a
//	                    temporary folder of its own; no input but what it is given; on Linux, limits
//	1  Linux            no file but those that are named, no network, no other program, no new
//	                    process, no signal to others: Landlock and seccomp, which need no rights
//	2  with bubblewrap  nothing else is there to be seen: namespaces of its own for files,
//	                    processes and the network; the temporary folder has a fixed size
//	3  in a container   level 1 in a container of ours, without network
//	4  in a pod         level 1 in a pod of ours, without network
//
// Levels above 0 are set up by the program itself, which is started a second time: Go runs no
// code between fork and exec. So the main function of a program that uses this package calls
// Launch first, and so does the TestMain of its tests.
package jail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Launcher is the binary that is started to become a child: one whose main function calls
// Launch. "" is this program. A smaller one, such as gosched/autograder/jail/launch, starts
// sooner. Set it before the first child is run.
var Launcher string

// A Level is how strictly a child is kept; the package comment lists them.
type Level int

const (
	Process    Level = iota // 0: any system
	Restricted              // 1: Landlock and seccomp
	Bubble                  // 2: bubblewrap
	Container               // 3: level 1 in a container of ours
	Pod                     // 4: level 1 in a pod of ours
)

var levelNames = [...]string{"a process", "Landlock and seccomp", "bubblewrap", "a container", "a pod"}

// String is the level with its name, such as "1 (Landlock and seccomp)".
func (l Level) String() string {
	if l < 0 || int(l) >= len(levelNames) {
		return strconv.Itoa(int(l))
	}
	return fmt.Sprintf("%d (%s)", int(l), levelNames[l])
}

// Limits are what a child may use. Zero is no limit. Level 0 has them on Linux only, but for
// Disk; it does not have Read and Write.
type Limits struct {
	Memory   int64         // bytes of memory that it may write to
	CPU      time.Duration // on all threads together, rounded up to seconds
	Threads  int           // looked at many times a second, so it may have more for a moment
	Files    int           // descriptors that are open at a time
	FileSize int64         // bytes of one file
	Disk     int64         // bytes of its temporary folder, at least 4 KiB a file; before level 2 looked at, as Threads

	// Absolute paths of the files and folders that it may read, and that it may read and
	// write. Its own binary, with the libraries that it is linked to, and its temporary folder
	// need not be named. They must exist.
	Read, Write []string

	// Programs are files, and folders of files, that it may read and start, each with the limits
	// that it has itself; the libraries that they are linked to are among them. nil: it starts no
	// other program. It is meant for one that is to be trusted, but not what it reads: a compiler.
	Programs []string
}

// A Child is a program to be run, once.
type Child struct {
	Level  Level
	Limits Limits
	Path   string   // of the binary, absolute
	Args   []string // without the name of the program

	Dir    string        // its working folder, absolute; "" is its temporary folder
	Env    []string      // in addition to the few variables that every child gets
	Input  io.Reader     // its standard input; nil is an empty one
	Files  []*os.File    // its descriptors 3, 4 …
	Output io.Writer     // gets its standard output and standard error; nil discards them
	Dump   time.Duration // how long it may take to write its stacks when its time is over

	// Used, if not nil, gets the CPU time of the child and of all that it has waited for.
	Used *time.Duration
}

// An End is how a child ended.
type End struct {
	Code   int    // exit status; -1 if a signal ended it
	Signal string // the name of the signal that ended it, such as "killed", or ""
	Excess string // what it used too much of, for which it was killed, such as "threads"; or ""
}

// OK reports whether the child ended by itself and with status 0.
func (e End) OK() bool { return e.Code == 0 && e.Excess == "" }

// poll is how often the threads and the files of a child are counted. Meanwhile there may be a
// few thousand threads more, or a hundred megabytes.
const poll = 25 * time.Millisecond

// Run runs the child until it ends, or ctx does: then it is asked for the stacks of its
// goroutines, as with a SIGQUIT, and killed after c.Dump. Nothing that it started survives,
// unless it left its process group at level 0. An error means that the child was not started, for a
// reason that lies in the system and not in the child; one that wraps fs.ErrNotExist or
// fs.ErrPermission at level 0 may be about the binary.
func (c Child) Run(ctx context.Context) (End, error) {
	temp, err := os.MkdirTemp("", "gosched-jail-")
	if err != nil {
		return End{}, err
	}
	defer removeAll(temp)
	if temp, err = filepath.EvalSymlinks(temp); err != nil {
		return End{}, err
	}
	if c.Dir == "" {
		c.Dir = temp
	}
	if c.Output == nil {
		c.Output = io.Discard
	}
	r, err := c.start(ctx, temp)
	if err != nil {
		return End{}, err
	}
	stop := make(chan struct{})
	excess := make(chan string)
	go func() { excess <- c.watch(r, temp, stop) }()
	err = r.wait()
	close(stop)
	end := endOf(r.cmd.ProcessState, c.Level)
	if c.Used != nil {
		*c.Used = r.cmd.ProcessState.UserTime() + r.cmd.ProcessState.SystemTime()
	}
	end.Excess = <-excess
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && ctx.Err() == nil {
		return End{}, err
	}
	return end, nil
}

// A running is a child that runs.
type running struct {
	cmd    *exec.Cmd    // the child or, at level 2, bubblewrap
	pid    atomic.Int64 // of the child itself, as seen from here; 0 while it is not known
	output *output
}

// start starts it.
func (r *running) start() error {
	err := r.cmd.Start()
	r.output.begin(err == nil)
	return err
}

// wait waits until it has ended. Then nothing of it is left, and all that it has printed was
// passed on.
func (r *running) wait() error {
	err := r.cmd.Wait()
	endGroup(r.cmd.Process)
	r.output.end()
	return err
}

// command prepares a program that is the child, or becomes it, and is to be started. files are its
// descriptors, after those that the child gets.
func (c Child) command(ctx context.Context, temp, name string, args []string, files ...*os.File) (*running, error) {
	output, err := newOutput(c.Output)
	if err != nil {
		return nil, err
	}
	r := &running{cmd: exec.CommandContext(ctx, name, args...), output: output}
	r.cmd.Env = environment(temp)
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = c.Input, output.into, output.into
	r.cmd.ExtraFiles = append(slices.Clone(c.Files), files...)
	r.cmd.WaitDelay = max(c.Dump, time.Millisecond) // 0 would be for ever; it is for the input, too
	if c.Level != Bubble {
		r.cmd.Dir = c.Dir // bubblewrap has it made where there is none
	}
	ownGroup(r.cmd)
	r.cmd.Cancel = func() error {
		if pid := int(r.pid.Load()); pid > 0 {
			return askForDump(pid)
		}
		endGroup(r.cmd.Process)
		return nil
	}
	return r, nil
}

// start starts the child at its level.
func (c Child) start(ctx context.Context, temp string) (*running, error) {
	if c.Level > Process {
		return c.launch(ctx, temp)
	}
	r, err := c.command(ctx, temp, c.Path, c.Args)
	if err != nil {
		return nil, err
	}
	r.cmd.Env = append(r.cmd.Env, c.Env...)
	if err := r.start(); err != nil {
		return nil, err
	}
	r.pid.Store(int64(r.cmd.Process.Pid))
	limit(r.cmd.Process.Pid, c.Limits)
	return r, nil
}

// environment is what every child gets to see, whatever there is around it. The number of
// CPUs is given because a child of level 1 cannot read what its container may use.
func environment(temp string) []string {
	cpus := cmp.Or(os.Getenv("GOMAXPROCS"), strconv.Itoa(runtime.GOMAXPROCS(0)))
	env := []string{"HOME=" + temp, "TZ=UTC", "GOMAXPROCS=" + cpus}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		env = append(env, name+"="+temp)
	}
	return env
}

// Sets reports whether a variable, "NAME=value", is one that every child gets from this package.
// Child.Env has none of them.
func Sets(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.ContainsFunc(environment(""), func(v string) bool { return strings.HasPrefix(v, name+"=") })
}

// watch looks at a child until it is to stop, kills it if it has too much of something, and
// returns of what.
func (c Child) watch(r *running, temp string, stop <-chan struct{}) string {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return ""
		case <-tick.C:
		}
		excess := ""
		if c.Limits.Threads > 0 && threads(int(r.pid.Load())) > c.Limits.Threads {
			excess = "threads"
		} else if c.Limits.Disk > 0 && !holds(temp, c.Limits.Disk-removed(int(r.pid.Load()))) {
			excess = "space on the disk"
		}
		if excess != "" {
			endGroup(r.cmd.Process)
			<-stop
			return excess
		}
	}
}

// block is how many bytes any file takes, even an empty one, which needs an entry in a folder and
// an inode.
const block = 4096

// holds reports whether a folder and what is in it take at most so many bytes. What comes and goes
// meanwhile does not count.
func holds(folder string, bytes int64) bool {
	_ = filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil {
			bytes -= max(info.Size(), block)
		}
		if bytes < 0 {
			return filepath.SkipAll
		}
		return nil
	})
	return bytes >= 0
}

// removeAll removes a folder in which a child may have made folders that cannot be written to.
func removeAll(folder string) {
	if os.RemoveAll(folder) == nil {
		return
	}
	_ = filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700) // what it does not help, RemoveAll leaves
		}
		return nil
	})
	_ = os.RemoveAll(folder) // a rest in the system's temporary folder harms nobody
}

// A head keeps the first part of what is written to it.
type head struct{ text []byte }

func (h *head) Write(p []byte) (int, error) {
	if room := 4096 - len(h.text); room > 0 {
		h.text = append(h.text, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

func (h *head) String() string { return strings.TrimSpace(string(h.text)) }
