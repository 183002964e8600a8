package main

func main() {
	a := []int{1, 2, 3}
	i := -1
	a[i] = 1
}
