package main

func main() {
	panic(uintptr(10))
}
