//go:build gosched

// Package oserror is an error that packages os and internal/poll have in common.
package oserror

// A DeadlineExceededError is what ErrDeadlineExceeded is.
type DeadlineExceededError struct{}

func (*DeadlineExceededError) Error() string   { return "i/o timeout" }
func (*DeadlineExceededError) Timeout() bool   { return true }
func (*DeadlineExceededError) Temporary() bool { return true }

// ErrDeadlineExceeded says that a deadline has passed.
var ErrDeadlineExceeded error = &DeadlineExceededError{}
