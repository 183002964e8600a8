//go:build ignore

package main

func add(x, y int) int { return x + y }

func main() { println(add(1, 2)) }
