package main

type divider interface{ div(num) num }
type num int
type wrap struct{ num }

func (n num) div(m num) num {
	return n / m
}

func main() {
	w := wrap{num(3)}
	w.div(0)
}
