// Two is a program of two files.
package main

func main() { show("two files") }
