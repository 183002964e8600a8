package jail

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Highest returns the highest level that this system has. It tries: the launcher is started as a
// child at each level, and looks whether it can do what it should not. The texts say of each
// higher level why there is none, and what is missing of a level that there is.
func Highest(ctx context.Context) (Level, []string) {
	highest, why := Process, []string(nil)
	var bubble error
	var both sync.WaitGroup
	both.Go(func() { bubble = probe(ctx, Bubble) })
	restricted := probe(ctx, Restricted)
	both.Wait()
	for i, err := range []error{restricted, bubble} {
		level := Restricted + Level(i)
		if err != nil {
			why = append(why, fmt.Sprintf("no level %v: %v", level, err))
		} else if highest == level-1 {
			highest = level
		}
	}
	inside := highest
	for _, level := range []Level{Container, Pod} {
		switch {
		case level > surroundings() && level == Container:
			why = append(why, fmt.Sprintf("no level %v: this is not the container of classroom/, which sets %s=container", level, SurroundingsEnv))
		case level > surroundings():
			why = append(why, fmt.Sprintf("no level %v: this is not a pod of batch plan, which sets %s=pod", level, SurroundingsEnv))
		case inside == Process:
			why = append(why, fmt.Sprintf("no level %v, although this is one: level %v does not hold inside", level, Restricted))
		default:
			highest = level
		}
	}
	if version := landlockVersion(); highest > Process {
		for _, gap := range landlockGaps {
			if version < gap.before {
				why = append(why, fmt.Sprintf("missing at level %v and above: %s", Restricted, gap.what))
			}
		}
	}
	return highest, why
}

// SurroundingsEnv is the variable by which a container and a pod of ours say what they are:
// "container" or "pod".
const SurroundingsEnv = "GOSCHED_SURROUNDINGS"

func surroundings() Level {
	switch os.Getenv(SurroundingsEnv) {
	case "container":
		return Container
	case "pod":
		return Pod
	}
	return Process
}

// probe starts the launcher as a child, and finds out whether the level holds.
func probe(ctx context.Context, level Level) error {
	self, err := launcher()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var out head
	end, err := Child{Level: level, Path: self, Args: []string{asProbe}, Output: &out}.Run(ctx)
	if err != nil {
		return err
	}
	if !end.OK() {
		return fmt.Errorf("it does not hold: %s", &out)
	}
	return nil
}

// probed is the child of probe: it says what it can do and should not.
func probed() {
	var can []string
	if _, err := os.ReadDir("/"); err == nil {
		can = append(can, "read the root folder")
	}
	if f, err := os.Create("/dev/shm/gosched-probe"); err == nil {
		f.Close()
		os.Remove(f.Name())
		can = append(can, "write to /dev/shm")
	}
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close()
		can = append(can, "listen on the network")
	}
	if exec.Command(os.Args[0], asProbe).Start() == nil {
		can = append(can, "start a process")
	}
	if len(can) > 0 {
		fmt.Println("a child can " + strings.Join(can, ", "))
		os.Exit(1)
	}
	os.Exit(0)
}
