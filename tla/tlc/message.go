package tlc

import (
	"regexp"
	"strconv"
)

// In tool mode TLC puts each message between marks that have its number and its
// class. Messages may be inside one another, and a mark need not begin a line.
var mark = regexp.MustCompile(`@!@!@(STARTMSG|ENDMSG) (\d+)(?::(\d+))? @!@!@`)

// The numbers of messages.
const (
	msgOther            = 0 // outside of all marks
	msgException        = 1000
	msgMemory           = 1001
	msgMemoryInitial    = 1002
	msgInitialError     = 2102
	msgInitialInvariant = 2107
	msgInitialProperty  = 2108
	msgInvariant        = 2110
	msgAction           = 2112
	msgDeadlock         = 2114
	msgTemporal         = 2116
	msgBehavior         = 2121
	msgBack             = 2122
	msgSimulated        = 2210
	msgSuccess          = 2193
	msgDepth            = 2194
	msgStats            = 2199
	msgLiveness         = 2192
	msgProgress         = 2200
	msgCoverageBegin    = 2201
	msgProgressSimulate = 2209
	msgStateFirst       = 2216
	msgState            = 2217
	msgStutter          = 2218
	msgCoverageAction   = 2772
	msgConfigFirst      = 5001 // of the reader of configurations
	msgConfigLast       = 5010
)

// The class of messages about an error.
const classError = 1

type message struct {
	code, class int
	text        []byte
}

// splitter gives each message to emit as soon as it is whole.
type splitter struct {
	emit func(message)
	open []message // those that have begun, outermost first
	line []byte    // the one that has begun
}

func (s *splitter) Write(b []byte) (int, error) {
	for _, c := range b {
		s.line = append(s.line, c)
		if c == '\n' {
			s.take(s.line)
			s.line = s.line[:0]
		}
	}
	return len(b), nil
}

// close takes the rest; a process that was ended may leave messages open.
func (s *splitter) close() {
	s.take(s.line)
	for i := len(s.open) - 1; i >= 0; i-- {
		s.emit(s.open[i])
	}
	s.line, s.open = nil, nil
}

func (s *splitter) take(line []byte) {
	for {
		at := mark.FindSubmatchIndex(line)
		if at == nil {
			s.text(line)
			return
		}
		s.text(line[:at[0]])
		code, _ := strconv.Atoi(string(line[at[4]:at[5]]))
		if line[at[2]] == 'S' {
			class := 0
			if at[6] >= 0 {
				class, _ = strconv.Atoi(string(line[at[6]:at[7]]))
			}
			s.open = append(s.open, message{code: code, class: class})
		} else if n := len(s.open); n > 0 {
			s.emit(s.open[n-1])
			s.open = s.open[:n-1]
		}
		line = line[at[1]:]
		if len(line) == 1 && line[0] == '\n' {
			return
		}
	}
}

func (s *splitter) text(b []byte) {
	if n := len(s.open); n > 0 {
		s.open[n-1].text = append(s.open[n-1].text, b...)
	} else if len(b) > 0 {
		s.emit(message{code: msgOther, text: append([]byte(nil), b...)})
	}
}
