package main

func main() {
	m := map[any]int{1: 2}
	println(m[1])
	println(m[[]int{1}])
}
