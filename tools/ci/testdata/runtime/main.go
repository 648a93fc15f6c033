// The program of somebody who relies on the scheduler of one Go version.
package main

func main() { go println("hello") }
