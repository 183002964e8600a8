// Main ends by Goexit, and others go on.
package main

import (
	"fmt"
	"os"
	"runtime"
)

func main() {
	for i := range 3 {
		go func() {
			runtime.Gosched()
			fmt.Println(i)
			if i == 0 {
				runtime.Gosched()
				runtime.Gosched()
				os.Exit(0)
			}
		}()
	}
	runtime.Goexit()
}
