//! Evaluates operations given as text.

use minoan_services::{Datum, Trap};
use minoan_testing::{context, run};

/// Runs the function `f` of a module.
fn results(text: &str, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
    let ctx = context(|registry| {
        registry
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_arith::ArithDialect)
            .add(minoan_memref::MemRefDialect);
    });
    run(&ctx, text, args)
}

/// Evaluates a function on a global buffer `%m : memref<4x6xi32>` with the numbers from 0 to 23.
fn on_numbers(body: &str, results_of: &str, args: &[i64]) -> Result<Vec<i64>, Trap> {
    let numbers: Vec<String> =
        (0..4).map(|row| format!("{:?}", Vec::from_iter(row * 6..row * 6 + 6))).collect();
    let args: Vec<Datum> = args.iter().map(|&arg| Datum::Int(arg)).collect();
    let params: Vec<String> = (0..args.len()).map(|at| format!("%i{at}: index")).collect();
    let text = format!(
        "memref.global @numbers : memref<4x6xi32> = dense<[{}]>
        func.func @f({}) -> {results_of} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %m = memref.get_global @numbers : memref<4x6xi32>
          {body}
        }}",
        numbers.join(", "),
        params.join(", ")
    );
    results(&text, &args)?.iter().map(Datum::int).collect()
}

#[test]
fn subview_shares_storage() {
    let body = "%p = memref.subview %m[%i0, 1] [2, 2] [1, %i1] : memref<4x6xi32> to memref<2x2xi32, strided<[6, ?], offset: ?>>
        %x = memref.load %p[%c1, %c1] : memref<2x2xi32, strided<[6, ?], offset: ?>>
        %new = arith.constant 77 : i32
        memref.store %new, %p[%c0, %c1] : memref<2x2xi32, strided<[6, ?], offset: ?>>
        %c4 = arith.constant 4 : index
        %y = memref.load %m[%i0, %c4] : memref<4x6xi32>
        return %x, %y : i32, i32";
    assert_eq!(on_numbers(body, "(i32, i32)", &[2, 3]), Ok(vec![22, 77]));
    let trap = on_numbers(body, "(i32, i32)", &[3, 3]).expect_err("row 4 of 4");
    assert_eq!(trap.message, "a view leaves its buffer: element 28 of 24");
}

#[test]
fn rank_reducing_subview_of_subview() {
    let body = "%p = memref.subview %m[1, 2] [3, 4] [1, 1] : memref<4x6xi32> to memref<3x4xi32, strided<[6, 1], offset: 8>>
        %q = memref.subview %p[1, 0] [1, 2] [1, 2] : memref<3x4xi32, strided<[6, 1], offset: 8>> to memref<2xi32, strided<[2], offset: 14>>
        %x = memref.load %q[%c1] : memref<2xi32, strided<[2], offset: 14>>
        %n = memref.dim %q, %c0 : memref<2xi32, strided<[2], offset: 14>>
        %y = arith.index_cast %n : index to i32
        return %x, %y : i32, i32";
    assert_eq!(on_numbers(body, "(i32, i32)", &[]), Ok(vec![16, 2]));
}

#[test]
fn collapse_expand_and_transpose() {
    let body = "%flat = memref.collapse_shape %m [[0, 1]] : memref<4x6xi32> into memref<24xi32>
        %cube = memref.expand_shape %flat [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xi32> into memref<2x3x4xi32>
        %x = memref.load %cube[%c1, %c2, %c1] : memref<2x3x4xi32>
        %t = memref.transpose %m (i, j) -> (j, i) : memref<4x6xi32> to memref<6x4xi32, strided<[1, 6]>>
        %y = memref.load %t[%c1, %c2] : memref<6x4xi32, strided<[1, 6]>>
        return %x, %y : i32, i32";
    assert_eq!(on_numbers(body, "(i32, i32)", &[]), Ok(vec![21, 13]));
}

#[test]
fn reinterpret_cast() {
    let body = "%r = memref.reinterpret_cast %m to offset: [%i0], sizes: [3], strides: [7] : memref<4x6xi32> to memref<3xi32, strided<[7], offset: ?>>
        %x = memref.load %r[%c2] : memref<3xi32, strided<[7], offset: ?>>
        %base, %offset, %size, %stride = memref.extract_strided_metadata %r : memref<3xi32, strided<[7], offset: ?>> -> memref<i32>, index, index, index
        %y = memref.load %base[] : memref<i32>
        %o = arith.index_cast %offset : index to i32
        %s = arith.index_cast %stride : index to i32
        return %x, %y, %o, %s : i32, i32, i32, i32";
    assert_eq!(on_numbers(body, "(i32, i32, i32, i32)", &[5]), Ok(vec![19, 0, 5, 7]));
}

#[test]
fn atomic_rmw_returns_the_old_element() {
    let body = "%ten = arith.constant 10 : i32
        %x = memref.atomic_rmw addi %ten, %m[%c1, %c2] : (i32, memref<4x6xi32>) -> i32
        %y = memref.atomic_rmw maxs %ten, %m[%c1, %c2] : (i32, memref<4x6xi32>) -> i32
        %z = memref.generic_atomic_rmw %m[%c1, %c2] : memref<4x6xi32> {
        ^bb0(%old: i32):
          %new = arith.muli %old, %old : i32
          memref.atomic_yield %new : i32
        }
        %w = memref.atomic_rmw assign %ten, %m[%c1, %c2] : (i32, memref<4x6xi32>) -> i32
        return %x, %y, %z, %w : i32, i32, i32, i32";
    assert_eq!(on_numbers(body, "(i32, i32, i32, i32)", &[]), Ok(vec![8, 18, 18, 324]));
}

#[test]
fn alloca_scope_results() {
    let body = "%r = memref.alloca_scope -> (i32) {
          %s = memref.alloca() : memref<1xi32>
          %x = memref.load %m[%c1, %c1] : memref<4x6xi32>
          memref.store %x, %s[%c0] : memref<1xi32>
          %y = memref.load %s[%c0] : memref<1xi32>
          memref.alloca_scope.return %y : i32
        }
        return %r : i32";
    assert_eq!(on_numbers(body, "i32", &[]), Ok(vec![7]));
}

#[test]
fn realloc_keeps_elements() {
    let body = "%s = memref.alloc() : memref<1xi32>
        %seven = arith.constant 7 : i32
        memref.store %seven, %s[%c0] : memref<1xi32>
        %l = memref.realloc %s(%i0) : memref<1xi32> to memref<?xi32>
        %x = memref.load %l[%c0] : memref<?xi32>
        %n = memref.dim %l, %c0 : memref<?xi32>
        %y = arith.index_cast %n : index to i32
        memref.dealloc %l : memref<?xi32>
        return %x, %y : i32, i32";
    assert_eq!(on_numbers(body, "(i32, i32)", &[5]), Ok(vec![7, 5]));
}

#[test]
fn freeing_a_reshape_frees_the_buffer() {
    let body = "%s = memref.alloc() : memref<2x1x2xi32>
        %p = memref.collapse_shape %s [[0, 1, 2]] : memref<2x1x2xi32> into memref<4xi32>
        memref.dealloc %p : memref<4xi32>
        return";
    assert_eq!(on_numbers(body, "()", &[]), Ok(Vec::new()));
}

#[test]
fn freeing_a_view_traps() {
    let body = "%s = memref.alloc() : memref<4xi32>
        %p = memref.subview %s[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
        memref.dealloc %p : memref<2xi32, strided<[1]>>
        return";
    let trap = on_numbers(body, "()", &[]).expect_err("only what was allocated is freed");
    assert_eq!(trap.message, "a view of a buffer is freed");
}
