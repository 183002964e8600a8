//go:build ignore

// Local prints where a variable is, before and after the stack has grown.
package main

func down(n int) int {
	if n == 0 {
		return 0
	}
	return down(n-1) + 1
}

func main() {
	done := make(chan bool)
	go func() {
		x := 1
		println("x is at", &x)
		down(1000)
		println("x is at", &x)
		x++
		println("x is", x)
		done <- true
	}()
	<-done
}
