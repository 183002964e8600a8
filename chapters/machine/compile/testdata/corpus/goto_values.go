package main

import "fmt"

type T struct{ n int }

func (t T) get() int   { return t.n }
func (t *T) set(n int) { t.n = n }

func collatz(n int) (steps int) {
again:
	if n == 1 {
		return
	}
	steps++
	if n%2 == 0 {
		n /= 2
		goto again
	}
	n = 3*n + 1
	goto again
}

func find(grid [][]int, want int) (int, int) {
	for i, row := range grid {
		for j, v := range row {
			if v == want {
				fmt.Print("found ")
				goto done
			}
			_ = j
		}
		_ = i
	}
	return -1, -1
done:
	return 1, 1
}

func main() {
	fmt.Println(collatz(27), collatz(1))
	fmt.Println(find([][]int{{1, 2}, {3}}, 3))
	fmt.Println(find([][]int{{1, 2}, {3}}, 4))
	i := 0
loop:
	if i < 3 {
		defer fmt.Println("goto loop", i)
		i++
		goto loop
	}
	t := T{1}
	get, set := t.get, t.set
	set(5)
	fmt.Println(get(), t.get(), T.get(t))
	(*T).set(&t, 8)
	fs := []func() int{t.get, (&t).get, func() int { return 3 }}
	t.n = 100
	for i, f := range fs {
		fmt.Println(i, f())
	}
	for i := range 3 {
		for j := range int8(i) {
			fmt.Print(i, j, " ")
		}
	}
	for i, r := range "aä€\xff😀" {
		fmt.Print(i, ":", r, string(r), " ")
	}
	for i := range "xyz" {
		fmt.Print(i)
	}
	for range 2 {
		fmt.Print("!")
	}
	fmt.Println()
	b := []byte("héllo")
	b[0] = 'H'
	fmt.Println(string(b), []rune("aé"), string([]rune{0x4e16, 'x'}), len(b))
	var iface interface{ get() int } = t
	f := iface.get
	iface = T{9}
	fmt.Println(f(), iface.get())
}
