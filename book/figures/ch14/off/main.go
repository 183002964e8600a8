// Off runs ../spin.go under the installed Go on one P, without a call in the loop: with signals,
// and with GODEBUG=asyncpreemptoff=1. It ends a run that takes longer than 3 s.
//
//	go run ./book/figures/ch14/off
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"gosched/book/figures/ch14"
)

const limit = 3 * time.Second

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	binary, remove, err := ch14.Build(ch14.Spin)
	if err != nil {
		return err
	}
	defer remove()
	for _, debug := range []string{"", "asyncpreemptoff=1"} {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		cmd := exec.CommandContext(ctx, binary)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GODEBUG="+debug)
		out, _ := cmd.Output()
		name, how := debug, "ended"
		if debug == "" {
			name = "with signals"
		}
		if ctx.Err() != nil {
			how = "killed"
		}
		cancel()
		fmt.Printf("%-17s  %d ticks, %s\n", name, strings.Count(string(out), "tick"), how)
	}
	return nil
}
