package main

func main() {
	panic("")
}
