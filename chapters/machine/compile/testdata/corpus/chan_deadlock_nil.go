package main

func main() {
	var c chan struct{}
	go func() { c <- struct{}{} }()
	select {
	case <-c:
	}
}
