package main

func main() {
	var a [4]int
	i := 4
	a[i]++
}
