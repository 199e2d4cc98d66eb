// RUN: %kopt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// RUN: %if mlir-opt %{ %mlir-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect %}

// expected-error@+1 {{undefined symbol alias id 't'}}
func.func @type(%x: !t) { return }
!t = i32

// -----

// expected-error@+1 {{undefined symbol alias id 'a'}}
func.func @attribute() attributes {x.y = #a} { return }
#a = 1 : i32

// -----

// expected-error@+1 {{undefined symbol alias id 'b'}}
#a = [#b]
#b = 1 : i32

// -----

// expected-error@+1 {{undefined symbol alias id 'a'}}
#a = [#a]

// -----

// A location as an attribute.
// expected-error@+1 {{undefined symbol alias id 'loc'}}
"foo.a"() {x = loc(#loc)} : () -> ()
#loc = loc("a")

// -----

// A part of a location.
// expected-error@+1 {{undefined symbol alias id 'loc'}}
"foo.a"() : () -> () loc(fused[#loc, "b"])
#loc = loc("a")

// -----

// expected-error@+1 {{undefined symbol alias id 'loc2'}}
#loc1 = loc(callsite(#loc2 at #loc2))
#loc2 = loc("a")

// -----

// The alias of the location leads to the definition of the type, which nevertheless follows its use.
"foo.a"() : () -> () loc(#loc)
// expected-error@+1 {{undefined symbol alias id 't'}}
"foo.b"() : () -> !t
!t = i32
#loc = loc("a")

// -----

"foo.a"() : () -> () loc(#loc)
#loc = loc("a")
// expected-error@+1 {{redefinition of attribute alias id 'loc'}}
#loc = loc("b")

// -----

// The locations of operations and arguments may be defined later.
func.func @locations(%x: i32 loc(#loc1)) {
  cf.br ^bb1(%x : i32) loc(#loc2)
^bb1(%y: i32 loc(#loc1)):
  return
} loc(#loc1)
#loc1 = loc("a")
#loc2 = loc(callsite(#loc1 at "b"))
