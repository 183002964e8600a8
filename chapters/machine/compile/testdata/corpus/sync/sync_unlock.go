package main

import "sync"

func main() {
	defer func() { recover() }()
	var m sync.Mutex
	m.Unlock()
}
