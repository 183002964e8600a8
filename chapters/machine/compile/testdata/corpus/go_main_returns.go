package main

import "fmt"

func forever() {
	for {
	}
}

func main() {
	fmt.Println("main")
	for range 3 {
		go forever()
	}
	fmt.Println("end")
}
