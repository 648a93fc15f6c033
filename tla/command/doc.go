// Package command is what a user calls for the models: the commands tlc, which has TLC
// check them, and model, which explores their machines in Go. Both hold what they
// find against what the configurations expect, and print it alike.
package command
