//go:build gosched

// Package oserror is the errors of packages io and os that only programs with a network
// get: what those packages initialise costs every program that imports them.
package oserror

import "errors"

// ErrClosedPipe is a use of a pipe that is closed: io.ErrClosedPipe.
var ErrClosedPipe = errors.New("io: read/write on closed pipe")

// ErrNoProgress is a Reader that returns nothing, and no error, again and again:
// io.ErrNoProgress.
var ErrNoProgress = errors.New("multiple Read calls return no data or error")

// ErrShortBuffer is a buffer that holds too little: io.ErrShortBuffer.
var ErrShortBuffer = errors.New("short buffer")

// A DeadlineExceededError is what ErrDeadlineExceeded is.
type DeadlineExceededError struct{}

func (*DeadlineExceededError) Error() string   { return "i/o timeout" }
func (*DeadlineExceededError) Timeout() bool   { return true }
func (*DeadlineExceededError) Temporary() bool { return true }

// ErrDeadlineExceeded says that a deadline has passed: os.ErrDeadlineExceeded.
var ErrDeadlineExceeded error = &DeadlineExceededError{}
