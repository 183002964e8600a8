package main

func main() {
	panic(1 < 2)
}
