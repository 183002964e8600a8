package main

import (
	"fmt"
	"runtime"
)

var turn int
var log []string

func player(name string, me, rounds int, left *int) {
	for range rounds {
		for turn != me {
			runtime.Gosched()
		}
		log = append(log, name)
		turn = 1 - me
	}
	*left--
}

func main() {
	left := 2
	go player("ping", 0, 5, &left)
	go player("pong", 1, 5, &left)
	for left > 0 {
		runtime.Gosched()
	}
	fmt.Println(log)
}
