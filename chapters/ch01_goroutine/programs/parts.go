//go:build ignore

// Parts is the program in memory while a check calls the parts by hand. The
// check gives them the functions in the list.
package main

var functions = [...]func(){work, spawn}

var total int

func work() {
	for i := 1; i <= 10; i++ {
		total += i
	}
}

func spawn() {
	go work()
}

func main() {
	for _, f := range functions {
		f()
	}
}
