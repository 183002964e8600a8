//go:build race

package solutions_test

func init() { raced = true }
