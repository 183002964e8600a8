package main

type Err string

func main() {
	panic(Err("bad thing"))
}
