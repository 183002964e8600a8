//go:build gosched

// Package debug is about the collector.
package debug

import "runtime"

func setGCPercent(percent int) int

// SetGCPercent lets the next collection begin when the heap has grown by percent since the
// last one, and returns the previous setting; a negative percent lets none begin.
func SetGCPercent(percent int) int { return setGCPercent(percent) }

// FreeOSMemory collects garbage. There is no operating system to give the memory to.
func FreeOSMemory() { runtime.GC() }
