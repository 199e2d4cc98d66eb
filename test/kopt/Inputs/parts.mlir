func.func private @a()
// part
func.func private @b()
// paws
