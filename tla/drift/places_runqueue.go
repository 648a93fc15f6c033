package drift

var runqueuePlaces = []Place{}
