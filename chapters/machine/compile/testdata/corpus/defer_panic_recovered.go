package main

func main() {
	defer func() {
		e := recover()
		panic(e.(string) + " again")
	}()
	panic("once")
}
