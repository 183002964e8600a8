package main

import (
	"fmt"
	"time"
)

func main() {
	const most, least = time.Duration(1<<63 - 1), time.Duration(-1 << 63)
	units := []time.Duration{0, -5, 1, 2, 3, 7, time.Microsecond, time.Second, time.Hour, most}
	for _, d := range []time.Duration{0, 1, 2, 3, 4, 10, 999, 1000, 1499, 1500, 1501, 90 * time.Minute, 12345678901, most / 2, most/2 + 1, most - 1, most} {
		for _, m := range units {
			fmt.Print(int64(d.Round(m)), " ", int64((-d).Round(m)), " ", int64(d.Truncate(m)), "; ")
		}
		fmt.Println(d.Round(time.Millisecond), (-d).Round(10*time.Second))
	}
	for _, m := range units {
		fmt.Print(int64(least.Round(m)), " ", int64((least + 1).Round(m)), "; ")
	}
	fmt.Println()
}
