package main

func main() {
	var v any = "text"
	println(v.(int))
}
