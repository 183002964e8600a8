package check

import (
	"encoding/json"
	"os"
	"testing"
)

// appendRecord writes r to the file of results, if one is asked for.
func appendRecord(t *testing.T, r Record) {
	name := os.Getenv(ResultsEnv)
	if name == "" {
		return
	}
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatalf("cannot write the results: %v", err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		t.Fatalf("cannot write the results: %v", err)
	}
}
