package object

// A State is that of a Mutex, an RWMutex, a Cond or a WaitGroup, as far as it
// decides who has to wait. The zero State is of an object that nobody has used.
type State struct {
	Held    int // by one that locked it, or is the writer that is in or waits
	Readers int
	Count   int // of a WaitGroup

	channels []*channel // by number

	leaving   int       // readers that the writer waits for
	queue     [64]uint8 // threads that wait for a Cond, the first comes first
	waiting   int       // how many do
	signalled uint64    // threads, a bit for each
}

// Do carries out what o did. An operation that failed has changed nothing.
func (s *State) Do(o *Op) {
	if do := rulesOf[o.Kind].do; do != nil {
		do(s, o)
	}
}

// Ready reports whether thread could carry out an operation of kind k.
func (s *State) Ready(k Kind, thread uint8) bool {
	ready := rulesOf[k].ready
	return ready == nil || ready(s, thread)
}

func free(s *State, _ uint8) bool { return s.Held == 0 }
