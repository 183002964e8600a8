package check

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"gosched/chapters/machine/explore"
	"gosched/chapters/trace"
)

// OrderEnv names the environment variable that says, if it is set, that the process is to take
// an Order from its standard input.
const OrderEnv = "GOSCHED_ORDER"

// An Order is what the autograder tells a process that runs a check, as JSON on its standard
// input. A process without one writes no records.
type Order struct {
	Results string `json:"results"` // the file to which the process appends its Records, a line each; see Seal
	Nonce   string `json:"nonce"`   // with what each of them is sealed, so that nothing else in the process can write one

	// Sources of the student are below the folder Tree, and not below Root as the binary has
	// it. Both are "" if they are where they were compiled.
	Root string `json:"root,omitempty"`
	Tree string `json:"tree,omitempty"`
}

// order is that of this process, nil if it has none. It is taken while this package is
// initialised, before any code under test runs; later neither the environment nor standard
// input has it.
var order = takeOrder()

func takeOrder() *Order {
	if os.Getenv(OrderEnv) == "" {
		return nil
	}
	os.Unsetenv(OrderEnv)
	o := new(Order)
	if err := json.NewDecoder(os.Stdin).Decode(o); err != nil {
		fmt.Fprintf(os.Stderr, "%s is set, but standard input has no order: %v\n", OrderEnv, err)
		os.Exit(2)
	}
	if o.Tree != "" {
		explore.SourcesAt(o.Root, o.Tree)
	}
	return o
}

// A Record is a line of the file of results. For each check that was run there
// is one with Event "start" and, unless the process died, one with "end".
type Record struct {
	Event    string        `json:"event"`              // "start" or "end"
	Check    string        `json:"check"`              // "ch01/status-edges"
	Status   Status        `json:"status,omitempty"`   // of an end
	Took     time.Duration `json:"took,omitempty"`     // of an end, by the clock
	Message  string        `json:"message,omitempty"`  // what was expected and found, and where
	Evidence string        `json:"evidence,omitempty"` // of an end, but for a pass: log lines of the part, traces

	// Left says that at the end of the check there were threads of it: what is checked after it in
	// the process is not alone.
	Left bool `json:"left,omitempty"`

	Story *explore.Story `json:"story,omitempty"` // of a model that fails
	Log   *trace.Log     `json:"log,omitempty"`   // of the program that ran before the check failed
}

// Seal returns a record with its seal before it, a code of the text under the nonce: a line of the
// file of results. The nonce itself is not in the file, which code under test may find.
func (o *Order) Seal(record []byte) []byte {
	return fmt.Appendf(nil, "%x %s", o.code(record), record)
}

// Unseal returns the record of a line, and whether it was sealed under the nonce.
func (o *Order) Unseal(line []byte) (record []byte, ok bool) {
	seal, record, _ := bytes.Cut(line, []byte(" "))
	code, err := hex.DecodeString(string(seal))
	return record, err == nil && hmac.Equal(code, o.code(record))
}

func (o *Order) code(record []byte) []byte {
	mac := hmac.New(sha256.New, []byte(o.Nonce))
	mac.Write(record)
	return mac.Sum(nil)
}

// appendRecord writes r to the file of results, if there is an order.
func appendRecord(t *testing.T, r Record) {
	if order == nil {
		return
	}
	record, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(order.Results, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatalf("cannot write the results: %v", err)
	}
	defer f.Close()
	if _, err := f.Write(append(order.Seal(record), '\n')); err != nil {
		t.Fatalf("cannot write the results: %v", err)
	}
}
