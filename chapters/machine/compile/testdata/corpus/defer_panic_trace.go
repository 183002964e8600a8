package main

func first(n int) {
	defer second(n - 1)
	if n == 2 {
		third(nil)
	}
}

func second(n int) {
	if n == 1 {
		first(n)
		return
	}
	var s []int
	println(s[n])
}

func third(p *int) {
	*p = 3
}

func main() {
	defer func() {
		println("main's deferred")
	}()
	first(2)
}
