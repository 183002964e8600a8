package main

func main() {
	var x int8 = -5
	panic(x)
}
