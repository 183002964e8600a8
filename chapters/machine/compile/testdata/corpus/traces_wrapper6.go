package main

type divider interface{ div(num) num }
type num int
type wrap struct{ num }

func (n num) div(m num) num {
	return n / m
}

func main() {
	var d divider = &wrap{num(1)}
	d.div(0)
}
