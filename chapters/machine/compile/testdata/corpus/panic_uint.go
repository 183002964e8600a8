package main

func main() {
	panic(uint64(1 << 63))
}
