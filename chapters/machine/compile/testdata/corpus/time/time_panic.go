package main

import "time"

// The function of an AfterFunc runs in a goroutine of its own.
func main() {
	time.AfterFunc(20*time.Millisecond, func() { panic("late") })
	time.Sleep(time.Hour)
}
