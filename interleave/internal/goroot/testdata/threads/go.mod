module example.com/threads

go 1.26

require (
	example.com/pool v0.0.0
	github.com/spindle-go/spindle v0.0.0
)

replace example.com/pool => ./pool
