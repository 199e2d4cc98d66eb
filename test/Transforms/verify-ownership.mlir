// RUN: not %kopt %s --split-input-file --verify-ownership 2>&1 | FileCheck %s
// RUN: not %kopt %s --split-input-file --verify-ownership 2>&1 | FileCheck %s --check-prefix=CORRECT --implicit-check-not=@correct

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()

func.func private @make_list() -> !data.cell<@List>

func.func @leak() {
  // CHECK: error: 'func.call' op gives an object of which an owner is left at the end of the block
  %l = func.call @make_list() : () -> !data.cell<@List>
  return
}

func.func @dropped_twice() {
  %l = func.call @make_list() : () -> !data.cell<@List>
  data.drop %l : !data.cell<@List>
  // CHECK: error: 'data.drop' op uses an object that has no owner any more
  data.drop %l : !data.cell<@List>
  return
}

func.func @used_after_drop() -> index {
  %l = func.call @make_list() : () -> !data.cell<@List>
  data.drop %l : !data.cell<@List>
  // CHECK: error: 'data.tag' op uses an object that has no owner any more
  %t = data.tag %l : !data.cell<@List>
  return %t : index
}

func.func @argument_returned(%l: !data.cell<@List>) -> !data.cell<@List> {
  // CHECK: error: 'func.return' op takes an owner of an object that has none left
  return %l : !data.cell<@List>
}

func.func @one_branch(%c: i1) {
  %l = func.call @make_list() : () -> !data.cell<@List>
  // CHECK: error: 'scf.if' op has regions that leave different numbers of owners of an object
  scf.if %c {
    data.drop %l : !data.cell<@List>
    scf.yield
  } else {
    scf.yield
  }
  return
}

func.func @in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = func.call @make_list() : () -> !data.cell<@List>
  // CHECK: error: 'scf.for' op has a region that executes repeatedly and changes the number of owners of an object
  scf.for %i = %c0 to %n step %c1 {
    data.drop %l : !data.cell<@List>
  }
  data.drop %l : !data.cell<@List>
  return
}

func.func @part_of_dead() -> i32 {
  %l = func.call @make_list() : () -> !data.cell<@List>
  %rest = data.project %l as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
  data.drop %l : !data.cell<@List>
  // CHECK: error: 'data.project' op uses an object that has no owner any more
  %x = data.project %rest as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
  return %x : i32
}

// CORRECT: error
func.func @correct() -> !data.cell<@List> {
  %l = func.call @make_list() : () -> !data.cell<@List>
  %rest = data.project %l as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
  data.dup %rest : !data.cell<@List>
  data.drop %l : !data.cell<@List>
  return %rest : !data.cell<@List>
}
