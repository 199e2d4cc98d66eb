// Complex numbers in data types, closures, references and boxes: two slots for parts of 64 bits, one for parts of 32 bits.
// RUN: kc run %s --entry fields --inputs '[{"ctor": "Mixed", "fields": [[1, 2], 3, [0.5, -4], [5, 6], {"ctor": "Cons", "fields": [[7, 8], "Nil"]}]}]' --backend interpret | FileCheck %s --check-prefix=FIELDS
// RUN: kc run %s --entry fields --inputs '[{"ctor": "Mixed", "fields": [[1, 2], 3, [0.5, -4], [5, 6], {"ctor": "Cons", "fields": [[7, 8], "Nil"]}]}]' --backend interpret-buffers | FileCheck %s --check-prefix=FIELDS
// RUN: kc run %s --entry fields --inputs '[{"ctor": "Mixed", "fields": [[1, 2], 3, [0.5, -4], [5, 6], {"ctor": "Cons", "fields": [[7, 8], "Nil"]}]}]' --memory-check 2>&1 | FileCheck %s --check-prefixes=FIELDS,MEMORY
// RUN: kc run %s --entry closure --inputs '[[1, 2], [3, -1], 3]' --backend interpret | FileCheck %s --check-prefix=CLOSURE
// RUN: kc run %s --entry closure --inputs '[[1, 2], [3, -1], 3]' --backend interpret-buffers | FileCheck %s --check-prefix=CLOSURE
// RUN: kc run %s --entry closure --inputs '[[1, 2], [3, -1], 3]' --memory-check 2>&1 | FileCheck %s --check-prefixes=CLOSURE,MEMORY
// RUN: kc run %s --entry reference --inputs '[[1, 2], [3, -1]]' --backend interpret | FileCheck %s --check-prefix=REFERENCE
// RUN: kc run %s --entry reference --inputs '[[1, 2], [3, -1]]' --backend interpret-buffers | FileCheck %s --check-prefix=REFERENCE
// RUN: kc run %s --entry reference --inputs '[[1, 2], [3, -1]]' --memory-check 2>&1 | FileCheck %s --check-prefixes=REFERENCE,MEMORY
// RUN: kc run %s --entry boxed --inputs '[[[1, 2], [3, -1]], 2]' --backend interpret | FileCheck %s --check-prefix=BOXED
// RUN: kc run %s --entry boxed --inputs '[[[1, 2], [3, -1]], 2]' --backend interpret-buffers | FileCheck %s --check-prefix=BOXED
// RUN: kc run %s --entry boxed --inputs '[[[1, 2], [3, -1]], 2]' --memory-check 2>&1 | FileCheck %s --check-prefixes=BOXED,MEMORY
// RUN: kc run %s --entry scaled --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}, [0, 1]]' --backend interpret | FileCheck %s --check-prefix=SCALED
// RUN: kc run %s --entry scaled --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}, [0, 1]]' --backend interpret-buffers | FileCheck %s --check-prefix=SCALED
// RUN: kc run %s --entry scaled --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}, [0, 1]]' --memory-check 2>&1 | FileCheck %s --check-prefixes=SCALED,MEMORY
// RUN: kc run %s --entry scaled --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}, [0, 1]]' --format json | FileCheck %s --check-prefix=JSON
// RUN: kc grad %s --entry energy --check --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}]' --backend jit | FileCheck %s --check-prefix=GRAD
// RUN: kc grad %s --entry energy --check --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}]' --backend interpret | FileCheck %s --check-prefix=GRAD
// RUN: kc grad %s --entry energy --check --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}]' --backend interpret-buffers | FileCheck %s --check-prefix=GRAD
// RUN: kc grad %s --entry boxes --check --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}]' --backend jit | FileCheck %s --check-prefix=BOXES
// RUN: kc grad %s --entry boxes --check --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}]' --backend interpret | FileCheck %s --check-prefix=BOXES
// RUN: kc grad %s --entry boxes --check --inputs '[{"ctor": "Cons", "fields": [[1, 2], {"ctor": "Cons", "fields": [[3, -1], "Nil"]}]}]' --backend interpret-buffers | FileCheck %s --check-prefix=BOXES

// MEMORY-DAG: blocks left: 0
data.type @Mixed = "Mixed"(complex<f64>, i32, complex<f32>, complex<f64>, !data.cell<@List>) | "None"()
data.type @List = "Cons"(complex<f64>, !data.cell<@List>) | "Nil"()

// FIELDS: Mixed(5+6i, 4, 0.5+4i, 1+2i, Cons(7+8i, Nil))
func.func @fields(%m: !data.cell<@Mixed>) -> !data.cell<@Mixed> {
  %r = data.match %m : !data.cell<@Mixed> -> !data.cell<@Mixed> {
  case "Mixed"[0](%x: complex<f64>, %n: i32, %y: complex<f32>, %z: complex<f64>, %list: !data.cell<@List>) {
    %one = arith.constant 1 : i32
    %next = arith.addi %n, %one : i32
    %w = complex.conj %y : complex<f32>
    %0 = data.make "Mixed"[0](%z, %next, %w, %x, %list) : (complex<f64>, i32, complex<f32>, complex<f64>, !data.cell<@List>) -> !data.cell<@Mixed>
    data.yield %0 : !data.cell<@Mixed>
  }
  case "None"[1]() {
    data.yield %m : !data.cell<@Mixed>
  }
  }
  return %r : !data.cell<@Mixed>
}

// The product with a number three times, by a chain of closures.
// CLOSURE: -35+5i
func.func @closure(%a: complex<f64>, %b: complex<f64>, %n: i64) -> complex<f64> {
  %f = func.call @chain(%a, %n) : (complex<f64>, i64) -> !data.closure<(complex<f64>) -> complex<f64>>
  %r = data.apply %f(%b) : (!data.closure<(complex<f64>) -> complex<f64>>, complex<f64>) -> complex<f64>
  return %r : complex<f64>
}

func.func private @chain(%a: complex<f64>, %n: i64) -> !data.closure<(complex<f64>) -> complex<f64>> {
  %one = arith.constant 1 : i64
  %last = arith.cmpi eq, %n, %one : i64
  %r = scf.if %last -> (!data.closure<(complex<f64>) -> complex<f64>>) {
    %f = data.closure @product(%a) : (complex<f64>) -> !data.closure<(complex<f64>) -> complex<f64>>
    scf.yield %f : !data.closure<(complex<f64>) -> complex<f64>>
  } else {
    %less = arith.subi %n, %one : i64
    %f = func.call @chain(%a, %less) : (complex<f64>, i64) -> !data.closure<(complex<f64>) -> complex<f64>>
    %g = data.closure @after(%a, %f) : (complex<f64>, !data.closure<(complex<f64>) -> complex<f64>>) -> !data.closure<(complex<f64>) -> complex<f64>>
    scf.yield %g : !data.closure<(complex<f64>) -> complex<f64>>
  }
  return %r : !data.closure<(complex<f64>) -> complex<f64>>
}

func.func private @product(%a: complex<f64>, %b: complex<f64>) -> complex<f64> {
  %0 = complex.mul %a, %b : complex<f64>
  return %0 : complex<f64>
}

func.func private @after(%a: complex<f64>, %f: !data.closure<(complex<f64>) -> complex<f64>>, %b: complex<f64>) -> complex<f64> {
  %0 = data.apply %f(%b) : (!data.closure<(complex<f64>) -> complex<f64>>, complex<f64>) -> complex<f64>
  %1 = complex.mul %0, %a : complex<f64>
  return %1 : complex<f64>
}

// REFERENCE: 11-10i
func.func @reference(%a: complex<f64>, %b: complex<f64>) -> complex<f64> {
  %r = data.ref_new(%a) : (complex<f64>) -> !data.ref<complex<f64>>
  func.call @square(%r) : (!data.ref<complex<f64>>) -> ()
  %0 = data.ref_read %r : (!data.ref<complex<f64>>) -> complex<f64>
  data.ref_write %r(%b) : (!data.ref<complex<f64>>, complex<f64>) -> ()
  func.call @square(%r) : (!data.ref<complex<f64>>) -> ()
  %1 = data.ref_read %r : (!data.ref<complex<f64>>) -> complex<f64>
  %2 = complex.sub %1, %0 : complex<f64>
  return %2 : complex<f64>
}

func.func private @square(%r: !data.ref<complex<f64>>) attributes {no_inline} {
  %0 = data.ref_read %r : (!data.ref<complex<f64>>) -> complex<f64>
  %1 = complex.mul %0, %0 : complex<f64>
  data.ref_write %r(%1) : (!data.ref<complex<f64>>, complex<f64>) -> ()
  return
}

// The elements are conjugated as often as the recursion says.
// BOXED: [1+2i, 3-1i]
func.func @boxed(%a: tensor<?xcomplex<f32>>, %n: i64) -> tensor<?xcomplex<f32>> {
  %b = data.box %a : (tensor<?xcomplex<f32>>) -> !data.box<tensor<?xcomplex<f32>>>
  %0 = func.call @turned(%b, %n) : (!data.box<tensor<?xcomplex<f32>>>, i64) -> !data.box<tensor<?xcomplex<f32>>>
  %1 = data.unbox %0 : (!data.box<tensor<?xcomplex<f32>>>) -> tensor<?xcomplex<f32>>
  return %1 : tensor<?xcomplex<f32>>
}

func.func private @turned(%b: !data.box<tensor<?xcomplex<f32>>>, %n: i64) -> !data.box<tensor<?xcomplex<f32>>> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %last = arith.cmpi eq, %n, %zero : i64
  %r = scf.if %last -> (!data.box<tensor<?xcomplex<f32>>>) {
    scf.yield %b : !data.box<tensor<?xcomplex<f32>>>
  } else {
    %0 = data.unbox %b : (!data.box<tensor<?xcomplex<f32>>>) -> tensor<?xcomplex<f32>>
    %1 = linalg.map { complex.conj } ins(%0 : tensor<?xcomplex<f32>>) outs(%0 : tensor<?xcomplex<f32>>)
    %2 = data.box %1 : (tensor<?xcomplex<f32>>) -> !data.box<tensor<?xcomplex<f32>>>
    %less = arith.subi %n, %one : i64
    %3 = func.call @turned(%2, %less) : (!data.box<tensor<?xcomplex<f32>>>, i64) -> !data.box<tensor<?xcomplex<f32>>>
    scf.yield %3 : !data.box<tensor<?xcomplex<f32>>>
  }
  return %r : !data.box<tensor<?xcomplex<f32>>>
}

// SCALED: Cons(-2+1i, Cons(1+3i, Nil))
// JSON: {"ctor":"Cons","fields":{{\[\[}}-2.0,1.0],{"ctor":"Cons","fields":{{\[\[}}1.0,3.0],{"ctor":"Nil","fields":[]}]}]}
func.func @scaled(%xs: !data.cell<@List>, %by: complex<f64>) -> !data.cell<@List> {
  %r = data.match %xs : !data.cell<@List> -> !data.cell<@List> {
  case "Cons"[0](%x: complex<f64>, %rest: !data.cell<@List>) {
    %y = complex.mul %x, %by : complex<f64>
    %s = func.call @scaled(%rest, %by) : (!data.cell<@List>, complex<f64>) -> !data.cell<@List>
    %t = data.make "Cons"[0](%y, %s) : (complex<f64>, !data.cell<@List>) -> !data.cell<@List>
    data.yield %t : !data.cell<@List>
  }
  case "Nil"[1]() {
    %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
    data.yield %nil : !data.cell<@List>
  }
  }
  return %r : !data.cell<@List>
}

// GRAD: arr_0: Cons(2+4i, Cons(6-2i, Nil))
// GRAD-NEXT: agrees with forward mode and central differences
func.func @energy(%xs: !data.cell<@List>) -> f64 {
  %r = data.match %xs : !data.cell<@List> -> f64 {
  case "Cons"[0](%x: complex<f64>, %rest: !data.cell<@List>) {
    %c = complex.conj %x : complex<f64>
    %p = complex.mul %x, %c : complex<f64>
    %y = complex.re %p : complex<f64>
    %s = func.call @energy(%rest) : (!data.cell<@List>) -> f64
    %t = arith.addf %y, %s : f64
    data.yield %t : f64
  }
  case "Nil"[1]() {
    %zero = arith.constant 0.0 : f64
    data.yield %zero : f64
  }
  }
  return %r : f64
}

// The same by boxes, and a product of the numbers.
// BOXES: arr_0: Cons(4-48i, Cons(68-4i, Nil))
// BOXES-NEXT: agrees with forward mode and central differences
data.type @Boxes = "More"(!data.box<tensor<1xcomplex<f64>>>, !data.cell<@Boxes>) | "End"()
func.func @boxes(%xs: !data.cell<@List>) -> f64 {
  %boxes = func.call @packed(%xs) : (!data.cell<@List>) -> !data.cell<@Boxes>
  %p = func.call @total(%boxes) : (!data.cell<@Boxes>) -> complex<f64>
  %c = complex.conj %p : complex<f64>
  %q = complex.mul %p, %c : complex<f64>
  %r = complex.re %q : complex<f64>
  return %r : f64
}

func.func private @packed(%xs: !data.cell<@List>) -> !data.cell<@Boxes> {
  %r = data.match %xs : !data.cell<@List> -> !data.cell<@Boxes> {
  case "Cons"[0](%x: complex<f64>, %rest: !data.cell<@List>) {
    %t = tensor.from_elements %x : tensor<1xcomplex<f64>>
    %b = data.box %t : (tensor<1xcomplex<f64>>) -> !data.box<tensor<1xcomplex<f64>>>
    %s = func.call @packed(%rest) : (!data.cell<@List>) -> !data.cell<@Boxes>
    %m = data.make "More"[0](%b, %s) : (!data.box<tensor<1xcomplex<f64>>>, !data.cell<@Boxes>) -> !data.cell<@Boxes>
    data.yield %m : !data.cell<@Boxes>
  }
  case "Nil"[1]() {
    %end = data.make "End"[1]() : () -> !data.cell<@Boxes>
    data.yield %end : !data.cell<@Boxes>
  }
  }
  return %r : !data.cell<@Boxes>
}

func.func private @total(%xs: !data.cell<@Boxes>) -> complex<f64> {
  %r = data.match %xs : !data.cell<@Boxes> -> complex<f64> {
  case "More"[0](%b: !data.box<tensor<1xcomplex<f64>>>, %rest: !data.cell<@Boxes>) {
    %c0 = arith.constant 0 : index
    %t = data.unbox %b : (!data.box<tensor<1xcomplex<f64>>>) -> tensor<1xcomplex<f64>>
    %x = tensor.extract %t[%c0] : tensor<1xcomplex<f64>>
    %square = complex.mul %x, %x : complex<f64>
    %s = func.call @total(%rest) : (!data.cell<@Boxes>) -> complex<f64>
    %0 = complex.add %square, %s : complex<f64>
    data.yield %0 : complex<f64>
  }
  case "End"[1]() {
    %zero = complex.constant [0.0, 0.0] : complex<f64>
    data.yield %zero : complex<f64>
  }
  }
  return %r : complex<f64>
}
