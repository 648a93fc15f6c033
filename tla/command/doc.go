// Package command is what a user calls for the models: the commands tlc, which has TLC
// check them, and model, which explores their machines in Go. Both hold what they
// find against the same table, and print it alike.
package command
