package main

func main() {
	panic(2.5)
}
