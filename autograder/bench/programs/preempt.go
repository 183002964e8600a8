//go:build ignore

// Sleeps for 1 ms, n times, beside a goroutine in a loop that calls nothing, on one P. Prints
// in how many nanoseconds it has had its turn in so many percent of the cases.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	percent, _ := strconv.Atoi(os.Args[2])
	go func() {
		for {
		}
	}()
	took := make([]int, n)
	for i := range took {
		began := time.Now()
		time.Sleep(time.Millisecond)
		took[i] = int(time.Since(began))
	}
	sort.Ints(took)
	fmt.Println(took[(n*percent+99)/100-1])
}
