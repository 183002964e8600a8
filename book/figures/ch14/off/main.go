// Off runs ../spin.go under the installed Go on one P, without a call in the loop: with signals,
// and with GODEBUG=asyncpreemptoff=1. It ends a run that takes longer than a second.
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

const limit = time.Second

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
		how := "it has ended"
		if ctx.Err() != nil {
			how = "it still runs after 1 s, and is killed"
		}
		cancel()
		fmt.Printf("GODEBUG=%-18s %d ticks, %s\n", debug, strings.Count(string(out), "tick"), how)
	}
	return nil
}
