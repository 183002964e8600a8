package main

type divider interface{ div(num) num }
type num int
type wrap struct{ num }

func (n num) div(m num) num {
	return n / m
}

func main() {
	f := num.div
	f(1, 0)
}
