//go:build gosched

// Package os is the program's way to its surroundings: its arguments, its
// files and its end.
package os

import "syscall"

func exit(code int)
func args() []string

// Args are the program's arguments, the first is its name.
var Args = args()

// Exit ends the program with the given status, now.
func Exit(code int) { exit(code) }

// Getpid returns the number of the program's process.
func Getpid() int { return syscall.Getpid() }
