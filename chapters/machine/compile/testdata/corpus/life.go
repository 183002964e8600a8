package main

import "fmt"

const (
	W = 12
	H = 8
)

type world [H][W]bool

func (w *world) alive(y, x int) bool { return w[(y+H)%H][(x+W)%W] }

func (w *world) neighbours(y, x int) (n int) {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if (dy != 0 || dx != 0) && w.alive(y+dy, x+dx) {
				n++
			}
		}
	}
	return
}

func (w world) step() world {
	var next world
	for y := range w {
		for x := range w[y] {
			n := w.neighbours(y, x)
			next[y][x] = n == 3 || n == 2 && w[y][x]
		}
	}
	return next
}

func (w world) show() {
	for _, row := range w {
		line := make([]byte, 0, W)
		for _, c := range row {
			if c {
				line = append(line, '#')
			} else {
				line = append(line, '.')
			}
		}
		fmt.Println(string(line))
	}
	fmt.Println()
}

func main() {
	var w world
	for _, p := range [][2]int{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}} {
		w[p[0]][p[1]] = true
	}
	start := w
	for i := range 20 {
		if i%5 == 0 {
			w.show()
		}
		w = w.step()
	}
	fmt.Println(w == start, start.neighbours(1, 1))
}
