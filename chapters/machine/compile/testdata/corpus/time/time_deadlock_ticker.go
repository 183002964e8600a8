package main

import (
	"fmt"
	"time"
)

// Timers whose channels nobody waits for wake nobody.
func main() {
	tick := time.NewTicker(time.Millisecond)
	time.NewTimer(time.Hour)
	<-tick.C
	fmt.Println("tick")
	select {}
}
