// Package docs holds the pages of the documentation, and the tests of what they show: each listing is a file of testdata, and each
// command with its output is run.
package docs
