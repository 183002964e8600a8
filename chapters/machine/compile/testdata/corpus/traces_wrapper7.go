package main

import "runtime"

type divider interface{ div(num) num }
type num int
type wrap struct{ num }

func (n num) div(m num) num {
	return n / m
}

func main() {
	go num(1).div(0)
	for {
		runtime.Gosched()
	}
}
