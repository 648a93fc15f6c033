module example.com/threads

go 1.26

require (
	example.com/foreign v0.0.0
	example.com/pool v0.0.0
	github.com/spindle-go/spindle v0.0.0
)

replace (
	example.com/foreign => ./foreign
	example.com/pool => ./pool
)
