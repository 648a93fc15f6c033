package bad

var count int
