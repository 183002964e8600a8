package jail

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
)

// bubble starts a launcher in namespaces of its own, in which there are only the files that the
// child needs. In these it is process 1, so whatever it leaves behind ends with it.
func (c Child) bubble(ctx context.Context, launcher string, o order, args []string, said, status *os.File) (*running, error) {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, fmt.Errorf("bubblewrap is not installed: %w", err)
	}
	dynamic, err := isDynamic(launcher)
	if err != nil {
		return nil, err
	}
	info, infoOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer info.Close()
	defer infoOut.Close()
	setup := append(c.namespaces(o, dynamic || o.Dynamic),
		"--ro-bind", launcher, launcher,
		"--info-fd", strconv.Itoa(o.Status+1),
		"--", launcher)
	var first head
	c.Output = io.MultiWriter(&first, c.Output)
	r, err := c.command(ctx, o.Temp, bwrap, append(setup, args...), status, infoOut)
	if err != nil {
		return nil, err
	}
	if err := r.start(); err != nil {
		return nil, err
	}
	status.Close()
	infoOut.Close()
	var child struct {
		PID int64 `json:"child-pid"`
	}
	told := json.NewDecoder(info).Decode(&child)
	if err := c.await(r, said); err != nil {
		if text := first.String(); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return nil, err
	}
	r.pid.Store(child.PID)
	return r, told
}

// namespaces are the arguments with which bubblewrap shows a child only what it needs.
func (c Child) namespaces(o order, dynamic bool) []string {
	args := []string{"--unshare-all", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL", "--dev", "/dev"}
	if dynamic {
		for _, name := range libraries() {
			args = append(args, "--ro-bind", name, name)
		}
		args = append(args, "--proc", "/proc")
	}
	if c.Limits.Disk > 0 {
		args = append(args, "--size", strconv.FormatInt(c.Limits.Disk, 10))
	}
	args = append(args, "--tmpfs", o.Temp)
	for _, name := range slices.Concat([]string{o.Path}, c.Limits.Read, c.Limits.Programs) {
		args = append(args, "--ro-bind", name, name)
	}
	for _, name := range c.Limits.Write {
		args = append(args, "--bind", name, name)
	}
	if c.Dir != o.Temp {
		args = append(args, "--dir", c.Dir) // an empty one, if it is none of those
	}
	return append(args, "--chdir", c.Dir)
}
