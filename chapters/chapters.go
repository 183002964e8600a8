// Package chapters lists the course: every chapter in order, with its suite
// where there is one.
package chapters

import (
	"gosched/chapters/ch01_goroutine"
	"gosched/chapters/ch02_onethread"
	"gosched/chapters/ch03_park"
	"gosched/chapters/ch04_select"
	"gosched/chapters/ch05_threads"
	"gosched/chapters/ch06_p"
	"gosched/chapters/ch07_runq"
	"gosched/chapters/ch08_loop"
	"gosched/chapters/ch09_steal"
	"gosched/chapters/ch10_spin"
	"gosched/chapters/ch11_syscall"
	"gosched/chapters/ch12_sysmon"
	"gosched/chapters/ch13_stack"
	"gosched/chapters/ch14_signal"
	"gosched/chapters/ch15_timer"
	"gosched/chapters/ch16_netpoll"
	"gosched/chapters/ch17_stw"
	"gosched/chapters/check"
)

// A Chapter is an entry of the course's table.
type Chapter struct {
	ID    string // "ch01"
	Dir   string // "ch01_goroutine"
	Title string
	Go    string       // the versions of Go that it builds, "" if none
	Suite *check.Suite // nil: not written yet
}

// All is the course in order.
var All = []Chapter{
	{ID: "ch01", Dir: "ch01_goroutine", Title: "Life of a goroutine", Suite: ch01.Suite},
	{ID: "ch02", Dir: "ch02_onethread", Title: "One thread", Go: "0.x", Suite: ch02.Suite},
	{ID: "ch03", Dir: "ch03_park", Title: "Park and ready", Go: "0.x", Suite: ch03.Suite},
	{ID: "ch04", Dir: "ch04_select", Title: "Waiting for several things", Go: "0.x–1.9", Suite: ch04.Suite},
	{ID: "ch05", Dir: "ch05_threads", Title: "Many threads, one lock", Go: "1.0", Suite: ch05.Suite},
	{ID: "ch06", Dir: "ch06_p", Title: "The P", Go: "1.1", Suite: ch06.Suite},
	{ID: "ch07", Dir: "ch07_runq", Title: "The run queue", Go: "1.1–1.5", Suite: ch07.Suite},
	{ID: "ch08", Dir: "ch08_loop", Title: "The loop and its fairness", Go: "1.2–1.5", Suite: ch08.Suite},
	{ID: "ch09", Dir: "ch09_steal", Title: "Stealing", Go: "1.1", Suite: ch09.Suite},
	{ID: "ch10", Dir: "ch10_spin", Title: "Spinning and parking", Go: "1.1–1.20", Suite: ch10.Suite},
	{ID: "ch11", Dir: "ch11_syscall", Title: "Syscalls and locked threads", Go: "1.1–1.26", Suite: ch11.Suite},
	{ID: "ch12", Dir: "ch12_sysmon", Title: "The monitor", Go: "1.1", Suite: ch12.Suite},
	{ID: "ch13", Dir: "ch13_stack", Title: "Stacks and cooperation", Go: "1.2–1.4", Suite: ch13.Suite},
	{ID: "ch14", Dir: "ch14_signal", Title: "Signals", Go: "1.14", Suite: ch14.Suite},
	{ID: "ch15", Dir: "ch15_timer", Title: "Timers", Go: "1.14–1.23", Suite: ch15.Suite},
	{ID: "ch16", Dir: "ch16_netpoll", Title: "Netpoll", Go: "1.1–1.25", Suite: ch16.Suite},
	{ID: "ch17", Dir: "ch17_stw", Title: "Stopping the world and the collector", Go: "1.1–1.26", Suite: ch17.Suite},
	{ID: "ch18", Dir: "ch18_whole", Title: "The whole scheduler", Go: "1.26"},
	{ID: "ch19", Dir: "ch19_transplant", Title: "Home"},
}
