//go:build ignore

package main

import "fmt"

// A point is passed by address, so that addresses of the stack are in arguments.
type point struct{ x, y int }

func move(p *point, dx, dy *int) {
	p.x += *dx
	p.y += *dy
}

func walk(steps int) point {
	p, dx, dy := point{}, 1, 2
	for i := range steps {
		dx, dy = i%3, i%5
		move(&p, &dx, &dy)
	}
	return p
}

func risky(i int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	var xs [3]int
	return fmt.Errorf("xs[%d] is %d", i, xs[i])
}

func main() {
	const walkers = 4
	done := make(chan point)
	for range walkers {
		go func() { done <- walk(200) }()
	}
	sum := point{}
	for range walkers {
		p := <-done
		move(&sum, &p.x, &p.y)
	}
	fmt.Println(sum.x, sum.y)
	fmt.Println(risky(1))
	fmt.Println(risky(7))
}
