// Command manifest prints, as JSON, which checks were added to the suites that it is built with,
// by chapter, and what is wrong with them. Package extra builds it with the files of an instructor,
// and without anything of a student's.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"gosched/chapters"
)

func main() {
	if err := json.NewEncoder(os.Stdout).Encode(chapters.Extras()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
