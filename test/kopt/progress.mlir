// Progress is not written to a pipe; on a terminal, a short run does not show any either.
// RUN: %kopt %s --canonicalize -o %t 2>%t.err
// RUN: count 0 < %t.err
// RUN: python3 -c "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))" %kopt %s --canonicalize -o %t | count 0
func.func @a() {
  return
}
