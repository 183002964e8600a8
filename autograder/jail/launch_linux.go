package jail

import (
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// The first argument of a program that is started as a launcher, or as the probe of Highest.
const (
	asLauncher = "become-a-child-in-jail"
	asProbe    = "probe-the-jail"
)

// ready says that main of this program has called Launch. Without that, a launcher would be
// this program once more, which would start launchers.
var ready bool

// An order is what a launcher is told, as JSON in an argument.
type order struct {
	Limits  Limits
	Path    string
	Env     []string // Child.Env: the launcher itself must not be told what is meant for the child
	Temp    string
	Dynamic bool // Path needs the system's libraries
	Status  int  // the descriptor on which to say "ready", or what is wrong
}

// isReady is what a launcher says right before it becomes its child.
const isReady = "ready"

// Launch must be the first call of the main function of a program that runs children. If the
// program was started as a launcher, it becomes the child, and Launch does not return.
// Otherwise it sees to it that what the program has inherited, besides its standard input and
// output, passes to no child.
func Launch() {
	if len(os.Args) == 2 && os.Args[1] == asProbe {
		probed()
	}
	if len(os.Args) > 2 && os.Args[1] == asLauncher {
		runtime.LockOSThread() // restrictions are those of the thread that calls exec
		fail(becomeChild(os.Args[2], os.Args[3:]))
	}
	ready = true
	_ = unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC) // Linux 5.11; no child relies on it
}

// status is where a launcher says what is wrong.
var status *os.File

func fail(err error) {
	if status != nil {
		fmt.Fprint(status, err)
	}
	os.Exit(1)
}

// becomeChild restricts this process and replaces it by the child. It returns only an error.
func becomeChild(text string, args []string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	unix.CloseOnExec(o.Status)
	status = os.NewFile(uintptr(o.Status), "status")
	if err := unix.CloseRange(uint(o.Status), ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close_range: %w", err)
	}
	if err := dropRights(); err != nil {
		return err
	}
	if err := restrictFiles(o); err != nil {
		return err
	}
	limit(0, o.Limits)
	if _, err := status.WriteString(isReady); err != nil {
		return err
	}
	if err := restrictCalls(os.Getpid(), o.Limits.Programs != nil); err != nil {
		return err
	}
	os.Unsetenv("PWD") // bubblewrap's
	for _, v := range o.Env {
		name, value, _ := strings.Cut(v, "=")
		os.Setenv(name, value) // of a name that is there twice the last one counts, as in exec.Cmd
	}
	err := unix.Exec(o.Path, append([]string{o.Path}, args...), os.Environ())
	return fmt.Errorf("exec %s: %w", o.Path, err)
}

// launcher is the binary that becomes a child.
func launcher() (string, error) {
	if Launcher != "" {
		return Launcher, nil
	}
	return os.Executable()
}

// launch starts the launcher of a child, by bubblewrap at level 2, and waits until it has
// become the child.
func (c Child) launch(ctx context.Context, temp string) (*running, error) {
	if !ready {
		return nil, errors.New("the main function of this program does not call jail.Launch")
	}
	launcher, err := launcher()
	if err != nil {
		return nil, err
	}
	dynamic, err := isDynamic(c.Path)
	if err != nil {
		return nil, err
	}
	said, status, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer said.Close()
	defer status.Close()
	o := order{Limits: c.Limits, Path: c.Path, Env: c.Env, Temp: temp, Dynamic: dynamic, Status: 3 + len(c.Files)}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	args := append([]string{asLauncher, string(text)}, c.Args...)
	if c.Level == Bubble {
		return c.bubble(ctx, launcher, o, args, said, status)
	}
	r, err := c.command(ctx, temp, launcher, args, status)
	if err != nil {
		return nil, err
	}
	if err := r.start(); err != nil {
		return nil, err
	}
	status.Close()
	r.pid.Store(int64(r.cmd.Process.Pid))
	return r, c.await(r, said)
}

// await waits until the launcher has become the child. If it fails to, it has ended.
func (c Child) await(r *running, said io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(said, 4096))
	if err == nil && string(text) == isReady {
		return nil
	}
	endGroup(r.cmd.Process)
	waited := r.wait()
	what := strings.TrimPrefix(string(text), isReady)
	if what == "" {
		what = fmt.Sprint("its launcher said nothing and ended: ", waited)
	}
	return fmt.Errorf("the child cannot be started at level %v: %s", c.Level, what)
}

// isDynamic reports whether a binary is linked to the system's libraries.
func isDynamic(binary string) (bool, error) {
	f, err := elf.Open(binary)
	if err != nil {
		return false, fmt.Errorf("%s: %w", binary, err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return true, nil
		}
	}
	return false, nil
}

// libraries are where Linux systems have their libraries, as far as they exist here.
func libraries() (there []string) {
	for _, name := range []string{"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/etc/ld.so.cache"} {
		if _, err := os.Stat(name); err == nil {
			there = append(there, name)
		}
	}
	return there
}
