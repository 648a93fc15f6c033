module example.com/dependency

go 1.26
