// Package stacks reads what Go tells of its own goroutines: where in a part one stands that does not
// come back. It parses the text of [runtime.Stack], which is the only thing that tells of other
// goroutines.
package stacks

import (
	"runtime"
	"strings"
)

// ID is how the stack of the calling goroutine begins: "goroutine 12 [".
func ID() string {
	buf := make([]byte, 64)
	head, _, _ := strings.Cut(string(buf[:runtime.Stack(buf, false)]), "[")
	return head + "["
}

// All returns the stacks of all goroutines, the caller's first; at most 1 MiB of text.
func All() []string {
	buf := make([]byte, 1<<20)
	return strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
}

// Part returns the innermost frame of a stack that belongs to a part, as the file with its path and
// line, and the function: "ch02_onethread.(*loop).Schedule". ok is false if there is none.
func Part(stack string) (place, function string, ok bool) {
	lines := strings.Split(stack, "\n")
	for i, line := range lines {
		if i+1 == len(lines) || !(strings.HasPrefix(line, "gosched/exercises/") || strings.HasPrefix(line, "gosched/solutions")) {
			continue
		}
		place, _, _ = strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		function = line
		if args := strings.LastIndexByte(function, '('); args > 0 {
			function = function[:args]
		}
		return place, function[strings.LastIndexByte(function, '/')+1:], true
	}
	return "", "", false
}
