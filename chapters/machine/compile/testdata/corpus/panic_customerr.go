package main

type E struct{ code int }

func (e *E) Error() string { return "code " + string(rune('0'+e.code)) }

func fail() error { return &E{7} }

func main() {
	if err := fail(); err != nil {
		panic(err)
	}
}
