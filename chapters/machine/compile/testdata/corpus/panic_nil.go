package main

func main() {
	panic(nil)
}
