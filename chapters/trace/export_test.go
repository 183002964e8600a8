package trace

// ChromeOf is chromeOf, for tests of logs that only packages above this one make.
var ChromeOf = chromeOf
