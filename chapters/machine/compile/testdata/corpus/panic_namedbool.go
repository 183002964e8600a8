package main

type B bool

func main() {
	panic(B(true))
}
