//go:build broken

package queue

var _ int = "with the tag broken this package does not build"
