package main

type F float32

func main() {
	panic(F(1e10))
}
