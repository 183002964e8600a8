//go:build ignore

// Parts lists the goroutines of a program that does nothing: the function that each was
// started with, and what it waits for. All but main belong to the runtime. It lets a
// second process of itself die, since only then does Go list them all.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

func main() {
	if os.Getenv("GOTRACEBACK") == "system" {
		runtime.GC() // its workers are made by the first collection
		panic("to see all goroutines")
	}
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), "GOTRACEBACK=system")
	text, _ := child.CombinedOutput()
	_, list, _ := strings.Cut(string(text), "\n\n")
	for stack := range strings.SplitSeq(list, "\n\n") {
		title, calls, _ := strings.Cut(stack, "\n")
		if _, state, ok := strings.Cut(title, "["); ok {
			state, _, _ = strings.Cut(state, "]")
			fmt.Printf("%-32s %s\n", function(calls), state)
		}
	}
}

// function names the function that a goroutine was started with: in its calls the last
// one before goexit and the closure that a go statement makes (gowrap), or main.
func function(calls string) string {
	name := ""
	for line := range strings.Lines(calls) {
		call, _, isCall := strings.Cut(line, "(")
		if call == "runtime.goexit" || name == "main.main" {
			break
		}
		if isCall && !strings.HasPrefix(line, "\t") && !strings.Contains(call, ".gowrap") {
			name = call
		}
	}
	return name
}
