package main

func main() {
	println("to stderr", 1, true)
	print("a", 2, "\n")
}
