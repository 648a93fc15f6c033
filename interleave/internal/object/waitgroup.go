package object

// A sync.WaitGroup.
var waitGroup = map[Kind]rules{
	Count: {name: "Add", write: writes, do: func(s *State, o *Op) { s.Count += int(int64(o.Wrote - o.Read)) }},
	Wait:  {name: "Wait", ready: func(s *State, _ uint8) bool { return s.Count == 0 }},
}
