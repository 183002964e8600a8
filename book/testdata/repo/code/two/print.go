package main

import "fmt"

func show(text string) { fmt.Println(text) }
