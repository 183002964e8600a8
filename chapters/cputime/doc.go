// Package cputime tells how long CPUs have worked, in user mode and in the kernel. On a
// busy computer that says more about what work costs than the clock.
package cputime
