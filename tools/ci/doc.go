// Package ci tests what users run in their own CI: the action, the workflow and the
// template of folder ci. Its files are linted, and their scripts are run in small
// repositories, as the page for new users tells it.
package ci
