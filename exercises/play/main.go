// Play runs a Go program on your own scheduler. The autograder builds and calls
// it: go run ./autograder play FILE.go --parts exercises
package main

import (
	"gosched/autograder/play"
	"gosched/exercises"
)

func main() { play.Main(exercises.Go, exercises.Unwritten()) }
