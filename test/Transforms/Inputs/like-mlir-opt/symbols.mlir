// Nested references keep all symbols on their path; symbols of hidden tables go.
module {
  func.func nested @n()
  func.func @pub() { return }
  func.func private @q()
  module @inner {
    func.func private @p()
    func.func @pub2() { return }
    func.func nested @nest2()
    func.func nested @nest3()
    func.func private @r() 
    func.func @uses_q() attributes {u = @q} { return }
  }
  module @hidden attributes {sym_visibility = "private"} {
    func.func @pub2() { return }
    func.func nested @nest2()
  }
  module @hidden2 attributes {sym_visibility = "private"} {
    func.func @pub2() { return }
    func.func nested @nest2()
    func.func private @nest3()
  }
  module {
    func.func private @x()
    func.func nested @y()
    func.func @z() attributes {u = @x} { return }
  }
  func.func @f() {
    "foo.op"() {use = [@inner::@p, @inner::@nest2, @hidden2::@nest3, @nowhere::@x]} : () -> ()
    return
  }
}
