package main

import (
	"fmt"
	"strings"
	"time"

	"gosched/chapters/machine/sim"
)

// messages is how many pairs.go sends: 128 pairs, 20 each.
const messages = 128 * 20

// A block of a bar stands for so many messages per ms.
const block = 100

// throughput compares Go 1.0 and 1.1 on 1 to 64 CPUs.
func throughput() error {
	fmt.Println("      messages per ms; █ is 1.0, █ and ░ together are 1.1")
	fmt.Println("CPUs   1.0    1.1   1.1 : 1.0")
	for cpus := 1; cpus <= most; cpus *= 2 {
		old, now, err := both(cpus, sim.BareMetal())
		if err != nil {
			return err
		}
		fmt.Printf("%4d %5.0f  %5.0f  %6.1f  %s\n", cpus, rate(old), rate(now), ratio(old, now), bar(rate(old), rate(now)))
	}
	return nil
}

// rate is how many messages were sent in a ms.
func rate(d time.Duration) float64 { return messages / (micros(d) / 1000) }

// ratio is how many times as fast now is as old.
func ratio(old, now time.Duration) float64 { return float64(old) / float64(now) }

// bar draws two rates, the smaller one over the larger one.
func bar(a, b float64) string {
	blocks := func(rate float64) int { return int(rate/block + 0.5) }
	return strings.Repeat("█", min(blocks(a), blocks(b))) + strings.Repeat("░", max(0, blocks(b)-blocks(a)))
}

// both is how long pairs.go takes on Go 1.0 and on 1.1.
func both(cpus int, c sim.Costs) (old, now time.Duration, err error) {
	v0, v1, err := releases()
	if err != nil {
		return 0, 0, err
	}
	if old, err = elapsed(v0, "pairs.go", cpus, c); err == nil {
		now, err = elapsed(v1, "pairs.go", cpus, c)
	}
	return old, now, err
}

// factors are by how much a cost is changed.
var factors = []float64{0.5, 2}

// costs compares them on 64 CPUs of computers on which one thing costs half as much, or
// twice as much.
func costs() error {
	fmt.Println("1.1 : 1.0 on 64 CPUs      × ½    × 2")
	old, now, err := both(most, sim.BareMetal())
	if err != nil {
		return err
	}
	fmt.Printf("%-22s  %5.1f  %5.1f\n", "as it is", ratio(old, now), ratio(old, now))
	for _, setting := range sim.SchedulerSettings() {
		fmt.Printf("%-22s", setting)
		for _, f := range factors {
			r, err := ratioAt(setting, f)
			if err != nil {
				return err
			}
			fmt.Printf("  %5.1f", r)
		}
		fmt.Println()
	}
	return nil
}

// ratioAt is how many times as fast 1.1 is as 1.0 on 64 CPUs, where one cost is changed.
func ratioAt(setting string, factor float64) (float64, error) {
	c, err := sim.BareMetal().Scaled(setting, factor)
	if err != nil {
		return 0, err
	}
	old, now, err := both(most, c)
	return ratio(old, now), err
}
