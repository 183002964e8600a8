package main

func main() {
	var p *[4]int
	i := 7
	p[i] = 1
}
