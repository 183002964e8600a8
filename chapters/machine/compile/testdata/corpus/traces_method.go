package main

type num int

func (n num) div(m num) num { return n / m }

type op func(a, b num) num

func (o op) apply(a, b num) num {
	r := o(a, b)
	return r
}

type iface interface{ div(num) num }

func call(i iface, m num) num {
	return i.div(m)
}

func main() {
	f := num(5).div
	println(f(2))
	g := num.div
	println(g(9, 3))
	println(op(num.div).apply(6, 2))
	println(call(num(8), 4))
	println(call(num(8), 0))
}
