package machine

// A Fatal is the value of the panic that a misuse of the machine's thread
// primitives ends in: the runtime's throw. It means that the scheduler is
// wrong, not the program that it runs.
type Fatal struct {
	Msg string // without the words "fatal error: "
}

func (f Fatal) Error() string { return "fatal error: " + f.Msg }

// throw ends the thread with a Fatal. It does not return.
func throw(msg string) { panic(Fatal{msg}) }
