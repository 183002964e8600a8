// Package cputime tells how long CPUs have worked for a process, in user mode and in the
// kernel, and watches over one that may loop or sleep for ever. On a busy computer CPU time
// says more about what work costs than the clock.
package cputime
