package main

func main() {
	panic("line one\nline two")
}
