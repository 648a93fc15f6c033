// Package act runs the GitHub Action of folder ci by nektos/act, a runner for workflows,
// on pull requests to small repositories. Steps run on this machine, in act's host mode;
// no container and no network takes part. It needs Linux.
//
// These are real: the workflow of ci/README.md, ci/action.yml,
// .github/workflows/gate.yml, the command that the action builds, and git. What act
// evaluates is evaluated by act: inputs, expressions, conditions, outputs, the matrix,
// and the order and the result of jobs.
//
// These are stand-ins, in testdata/actions, since GitHub alone has the originals:
//
//   - actions/checkout clones from a folder;
//   - actions/setup-go takes the Go on the PATH;
//   - actions/cache never has an entry;
//   - actions/upload-artifact and actions/download-artifact copy to and from a folder.
//
// So nothing is claimed of what the originals do: that they accept their inputs, install
// the version of Go, restore a cache, or store artifacts. Nothing is claimed either of the
// machines, permissions, annotations and summaries of GitHub.
package act
