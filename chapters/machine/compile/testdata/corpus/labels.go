package main

import "fmt"

func main() {
outer:
	for i := 0; i < 4; i++ {
		for j := 0; j < 4; j++ {
			if j == 2 {
				continue outer
			}
			if i == 3 {
				break outer
			}
			fmt.Print(i, j, " ")
		}
	}
	fmt.Println()
loop:
	for i := range 10 {
		switch {
		case i == 2:
			continue loop
		case i == 5:
			break loop
		case i == 3:
			break
		}
		fmt.Print(i, " ")
	}
	fmt.Println()
	n := 0
again:
	n++
	if n < 5 {
		goto again
	}
	fmt.Println(n)
	for i := 0; ; i++ {
		if i == 3 {
			goto done
		}
		fmt.Print("x")
	}
done:
	fmt.Println("done")
sw:
	switch n {
	case 5:
		for {
			break sw
		}
		fmt.Println("not reached")
	}
	state := 0
	for {
		switch state {
		case 0:
			state = 2
			goto next
		case 2:
			state = 7
			goto next
		}
		break
	next:
		fmt.Print("state ", state, "; ")
	}
	fmt.Println()
}
