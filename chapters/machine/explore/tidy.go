package explore
func tidy(s string) string { return s }
