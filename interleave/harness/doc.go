// Package harness is for those who build tests of their own kind on the explorer, as
// conformance does: what a user of interleave.Test does without.
//
//	payload, err := harness.Remote(t, func() ([]byte, error) {
//		report, err := interleave.Explore(func(x *interleave.Exec) {
//			... // start threads
//			x.Finally(func() {
//				if err := judge(harness.Taken(x)); err != nil {
//					x.Fatalf("%v", err)
//				}
//			})
//		})
//		... // make bytes of the report
//	})
//
// Remote has a function run where the code under test is instrumented. Taken, Positions,
// Count and Schedule look at an execution while it is there, step by step; Site and Place
// say where in the source a step was made.
package harness
