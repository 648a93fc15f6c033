// Package ci tests what users run in their own CI: the action, the workflow and the
// template of folder ci. Its files are linted, and their scripts are run in small
// repositories, as the page for new users tells it. An interpreter of a few lines does the
// work of a runner here, so that this takes a minute. A real one, which takes longer and
// knows the workflow too, runs in tools/act.
package ci
