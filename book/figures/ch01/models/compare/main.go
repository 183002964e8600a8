// Compare runs the same tasks with one thread for each (1:1), with one thread for all
// (N:1) and with one for each CPU (M:N), on a computer of two CPUs, and tells how long
// each takes.
//
//	go run ./book/figures/ch01/models/compare
package main

import (
	"fmt"
	"time"

	"gosched/book/figures/ch01/models"
)

const us = time.Microsecond

func main() {
	ways := []models.Model{models.OneToOne(2), models.ManyToOne(), models.ManyToMany(2)}

	fmt.Print("A, C and D compute, B also reads a file; a column is 20 µs\n")
	for _, m := range ways {
		run := m.Run([]models.Task{
			{{Kind: models.Compute, For: 200 * us}},
			{{Kind: models.Compute, For: 100 * us}, {Kind: models.Block, For: 400 * us}, {Kind: models.Compute, For: 60 * us}},
			{{Kind: models.Compute, For: 160 * us}},
			{{Kind: models.Compute, For: 120 * us}},
		})
		fmt.Printf("\n%s, done after %d µs\n%s", m.Name, run.Makespan.Microseconds(), models.Lanes(run, 20*us))
	}

	fmt.Printf("\n%-36s", "done after")
	for _, m := range ways {
		fmt.Printf("%10s", m.Name)
	}
	for _, load := range []struct {
		what  string
		n     int
		steps models.Task
	}{
		{"8 that compute for 1 ms each", 8, models.Task{{Kind: models.Compute, For: 1000 * us}}},
		{"8 that read a file for 1 ms each", 8, models.Task{{Kind: models.Compute, For: 10 * us}, {Kind: models.Block, For: 1000 * us}}},
		{"1000 that wait, 1 µs of work each", 1000, models.Task{{Kind: models.Wait, For: 50 * us}, {Kind: models.Compute, For: 1 * us}}},
	} {
		fmt.Printf("\n%-36s", load.what)
		tasks := make([]models.Task, load.n)
		for i := range tasks {
			tasks[i] = load.steps
		}
		for _, m := range ways {
			fmt.Printf("%7d µs", m.Run(tasks).Makespan.Microseconds())
		}
	}
	fmt.Println()
}
