// A module without a name is no symbol.
builtin.module {
  builtin.module {
    func.func private @g()
  }
}
