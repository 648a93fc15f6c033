package mutants

// What the gate makes of several streams, of a baseline in a commit, and of what go test
// said: each of these is green where a pull request made something worse.
var several = []Judge{
	gated("J-1300", "no stream at all is a pass", "^TestSeveral$",
		"several.go", "Several.Result", "if len(s.gates) == 0 {", "if false {"),
	gated("J-1301", "several streams are not held against the baseline", "^TestSeveral$",
		"several.go", "Several.Result", "if all.whole {", "if false {"),
	gated("J-1302", "the reasons of all streams but the first are lost", "^TestSeveral",
		"several.go", "judge.add", "for v, texts := range o.reasons {", "for v, texts := range o.reasons {\n\t\tif len(j.Targets) > 0 {\n\t\t\tbreak\n\t\t}"),
	gated("J-1303", "an interrupted stream is whole", "^TestSeveralGravest$",
		"several.go", "judge.add", "j.Interrupted = j.Interrupted || o.Interrupted", ""),
	gated("J-1304", "a target may be in two streams", "^TestSeveral$",
		"several.go", "judge.add", "was.Target == t.Target", "was == t"),
	gated("J-1305", "a strict stream may lack something beside another", "^TestSeveralStrict$",
		"several.go", "judge.add", "j.strict || o.strict && o.Verdict != Pass", "j.strict"),
	gated("J-1306", "streams of two toolchains are one run", "^TestSeveral$",
		"several.go", "judge.header", `{"go", j.Header.Go, h.Go}, `, ""),
	gatedBy("J-1331", "the pass of a part is told as that of the whole", "^TestMerge$",
		"print.go", "printer.last", `h != nil && h.Shard != ""`, `h != nil && h.Shard == "?"`),
	{
		ID: "J-1332", Title: "a comment tells the pass of a part as that of the whole",
		Edits: suited("report/markdown.go", "Markdown", `h != nil && h.Shard != ""`, `h != nil && h.Shard == "?"`),
		Room:  suiteRoom + "/gate/cli", Tests: "^TestMerge$",
	},
	gatedBy("J-1308", "the events of a test that was killed are passed over", "^TestGateFolder",
		"heads.go", "heads", "if e.IsDir() {", "if e.Name()[0] == '.' {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tif e.IsDir() {"),
	gatedBy("J-1309", "a folder in the folder is passed over", "^TestGateFolder",
		"heads.go", "heads", "if e.IsDir() {", "if false {"),
	gatedBy("J-1310", "a missing baseline is none", "^TestGateNoBaseline$",
		"gate.go", "options.run", "none := o.allowNone && errors", "none := errors"),
	gatedBy("J-1311", "a damaged baseline is none, if that is allowed", "^TestGateNoBaseline$",
		"gate.go", "options.run", "none := o.allowNone && errors.Is(noBaseline, errNone)", "none := o.allowNone"),
	gatedBy("J-1312", "the baseline is that of the pull request", "^TestGateBase$",
		"baseline.go", "options.readBaseline", `if o.base == "" {`, "if true {"),
	gatedBy("J-1313", "a commit that is not here has no baseline", "^TestGateBase$",
		"baseline.go", "options.readCommitted", "return fmt.Errorf(\"-base %q: expected a commit that is here (git fetch --depth=1 origin COMMIT brings it): %w\", o.base, err)", "return fs.ErrNotExist"),
	gatedBy("J-1314", "a link stands for a baseline", "^TestGateBase$",
		"baseline.go", "options.readCommitted", `|| !strings.HasPrefix(f[0], "100")`, ""),
	gatedBy("J-1315", "what go test said is not read", "^TestGateTests$",
		"gate.go", "options.run", `if o.tests != "" {`, "if false {"),
	gatedBy("J-1316", "a target that is good explains a test that failed", "^TestGateTests$",
		"tests.go", "options.explain", "d.Row.Standing == suite.Unknown {", "d.Row.Standing != suite.Unknown {"),
	gatedBy("J-1317", "an output of go test that was cut off is read", "^TestGateTests$",
		"tests.go", "options.explain", "if broken != nil {", "if false {"),
	explains("J-1318", "a package that does not build has not failed", "^TestRead$",
		"Read", "if !blamed[f.Package] {", "if false {"),
	explains("J-1319", "a package may be missing its end", "^TestRead$",
		"Read", "if open[p] {", "if false {"),
	explains("J-1320", "an empty output is a pass", "^TestRead$",
		"Read", "if len(open) == 0 {", "if false {"),
	explains("J-1321", "a target explains the tests of all packages", "^TestUnexplained$",
		"Unexplained", "i < 0 || owner[broken[i]] != f.Package", "i < 0"),
	explains("J-1322", "a target explains whatever begins like it", "^TestUnexplained$",
		"Unexplained", `strings.HasPrefix(f.Test, target+"/")`, "strings.HasPrefix(f.Test, target)"),
}

func gatedBy(id, title, tests, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: suited("gate/cli/"+file, fn, old, new), Room: suiteRoom + "/gate/cli", Tests: tests}
}

func explains(id, title, tests, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: suited("gate/gotest/gotest.go", fn, old, new), Room: suiteRoom + "/gate/gotest", Tests: tests}
}
