//! Operations are walked, edited and created.

use crate::interface::{
    add_block, append, c, call, contents, create, floats, function, made, message, of, parse, read, session,
};
use minoan_capi::*;

#[test]
fn operations_are_walked_and_edited() {
    let session = session();
    // SAFETY: the handle is valid for a write.
    let module = made(|out| unsafe { minoan_module_create(session, out) }).expect("a module");
    let text = c(
        "func.func @f(%x: i64) -> i64 {\n  %c = arith.constant 2 : i64\n  %u = arith.muli %x, %c : i64\n  \
                  %r = arith.addi %x, %c : i64\n  return %r : i64\n}",
    );
    // SAFETY: a C string.
    assert_eq!(unsafe { minoan_module_append(module, text.as_ptr()) }, MinoanStatus::Ok, "{}", message());
    assert_eq!(minoan_module_verify(module), MinoanStatus::Ok);
    // SAFETY: as above, here and below.
    let top = made(|out| unsafe { minoan_module_operation(module, out) }).expect("the top");
    let func = made(|out| unsafe { minoan_operation_first(top, 0, 0, out) }).expect("a function");
    let mut names = Vec::new();
    let mut next = made(|out| unsafe { minoan_operation_first(func, 0, 0, out) });
    let mut multiply = MinoanHandle::default();
    while let Ok(op) = next
        && op != MinoanHandle::default()
    {
        let name =
            read(|buffer, size, needed| unsafe { minoan_operation_print(op, 0, 0, buffer, size, needed) });
        names.extend(name);
        if names.len() == 2 {
            multiply = op;
        }
        next = made(|out| unsafe { minoan_operation_next(op, out) });
    }
    assert_eq!(names, ["arith.constant", "arith.muli", "arith.addi", "func.return"]);
    assert_eq!(minoan_operation_erase(multiply), MinoanStatus::Ok);
    assert_eq!(minoan_operation_erase(multiply), MinoanStatus::BadHandle);
    let (name, value) = (c("sym_name"), c("\"g\""));
    let status = unsafe { minoan_operation_set_attribute(func, name.as_ptr(), value.as_ptr()) };
    assert_eq!(status, MinoanStatus::Ok, "{}", message());
    let pipeline = c("builtin.module(func.func(canonicalize))");
    assert_eq!(unsafe { minoan_module_run(module, pipeline.as_ptr()) }, MinoanStatus::Ok, "{}", message());
    let printed =
        read(|buffer, size, needed| unsafe { minoan_module_print(module, false, buffer, size, needed) });
    let printed = printed.expect("it is printed");
    assert!(printed.contains("func.func @g(%arg0: i64)") && !printed.contains("muli"), "{printed}");
    let wrong = c("builtin.module(func.func(canonicalise))");
    assert_eq!(unsafe { minoan_module_run(module, wrong.as_ptr()) }, MinoanStatus::Invalid);
    assert!(message().contains("canonicalize"), "{}", message());
}

#[test]
fn operations_are_created_from_their_parts() {
    let session = session();
    let text =
        "func.func @f(%a: f32, %b: f32) -> f32 {\n  %0 = arith.addf %a, %b : f32\n  return %0 : f32\n}";
    let module = parse(session, "f.mlir", text).expect("a module");
    let first = |op, region| made(|out| unsafe { minoan_operation_first(op, region, 0, out) });
    let top = made(|out| unsafe { minoan_module_operation(module, out) }).expect("an operation");
    let func = first(top, 0).expect("a function");
    let add = first(func, 0).expect("an addition");
    let end = made(|out| unsafe { minoan_operation_next(add, out) }).expect("a return");
    let result = MinoanValue { operation: add, region: -1, block: 0, index: 0 };
    let argument = MinoanValue { operation: func, region: 0, block: 0, index: 1 };
    let scaled = create(end, 0, "arith.mulf", &[result, argument], "f32").expect("a product");
    let product = MinoanValue { operation: scaled, ..result };
    assert_eq!(minoan_operation_set_operand(end, 0, product), MinoanStatus::Ok);
    assert_eq!(minoan_module_verify(module), MinoanStatus::Ok, "{}", message());
    let found =
        call(function(module, "f").expect("a function"), 2, &[floats(&[], &[3.0]), floats(&[], &[4.0])], 1);
    assert_eq!(contents(found.expect("a result")[0]), [28.0]);

    let fails = |made: Result<MinoanHandle, MinoanStatus>, status, expected: &str| {
        assert_eq!(made, Err(status));
        assert!(message().contains(expected), "{}", message());
    };
    use MinoanStatus::{BadArgument, BadHandle, Invalid};
    fails(create(end, 0, "arith.mulff", &[], "f32"), BadArgument, "did you mean 'arith.mulf'?");
    fails(create(end, 0, "arith.mulf", &[result], "f32"), Invalid, "arith.mulf");
    fails(create(end, 0, "arith.mulf", &[result, argument], "f64"), Invalid, "arith.mulf");
    fails(create(end, 0, "arith.mulf", &[result, argument], "f3"), Invalid, "the type of a result");
    fails(create(end, 7, "arith.mulf", &[result, argument], "f32"), BadArgument, "no place 7");
    fails(create(top, 0, "arith.mulf", &[], "f32"), BadArgument, "inside of a module");
    fails(create(func, 0, "arith.mulf", &[result, result], "f32"), BadArgument, "another function");
    let missing = MinoanValue { index: 5, ..argument };
    fails(create(end, 0, "arith.mulf", &[missing, missing], "f32"), BadArgument, "no argument 5");
    assert_eq!(minoan_operation_set_operand(end, 3, product), BadArgument);
    assert_eq!(minoan_operation_erase(scaled), Invalid);
    assert_eq!(minoan_operation_set_operand(end, 0, result), MinoanStatus::Ok);
    assert_eq!(minoan_operation_erase(scaled), MinoanStatus::Ok);
    fails(create(end, 0, "arith.mulf", &[product, product], "f32"), BadHandle, "erased");
}

#[test]
fn a_function_with_a_loop_is_created() {
    let session = session();
    // SAFETY: the handles are valid for a write, here and below.
    let module = made(|out| unsafe { minoan_module_create(session, out) }).expect("a module");
    let top = made(|out| unsafe { minoan_module_operation(module, out) }).expect("its operation");
    let block = made(|out| unsafe { minoan_operation_block(top, 0, 0, out) }).expect("its block");
    let attributes = [("sym_name", "\"power\""), ("function_type", "(f32, index) -> f32")];
    let func = append(block, "func.func", &[], &[], &attributes, 1, &[]).expect("a function");
    assert_eq!(minoan_module_verify(module), MinoanStatus::Invalid);
    assert!(message().contains("declaration"), "{}", message());
    let entry = add_block(func, 0, &["f32", "index"]).expect("a block");
    assert_eq!(minoan_module_verify(module), MinoanStatus::Invalid);

    let constant = |value: &str, ty: &str| {
        append(entry, "arith.constant", &[], &[ty], &[("value", value)], 0, &[]).expect("a constant")
    };
    let (zero, step) = (constant("0 : index", "index"), constant("1 : index", "index"));
    let one = constant("1.0 : f32", "f32");
    let operands = [of(zero, 0), of(entry, 1), of(step, 0), of(one, 0)];
    let repeat = append(entry, "scf.for", &operands, &["f32"], &[], 1, &[]).expect("a loop");
    let body = add_block(repeat, 0, &["index", "f32"]).expect("a block");
    let product = append(body, "arith.mulf", &[of(body, 1), of(entry, 0)], &["f32"], &[], 0, &[]);
    append(body, "scf.yield", &[of(product.expect("a product"), 0)], &[], &[], 0, &[]).expect("a yield");
    // The function continues in another block.
    let last = add_block(func, 0, &["f32"]).expect("a block");
    append(entry, "cf.br", &[of(repeat, 0)], &[], &[], 0, &[last]).expect("a branch");
    append(last, "func.return", &[of(last, 0)], &[], &[], 0, &[]).expect("a return");
    assert_eq!(minoan_module_verify(module), MinoanStatus::Ok, "{}", message());
    let power = function(module, "power").unwrap_or_else(|_| panic!("{}", message()));
    let exponent = [10i64];
    let count = MinoanArgument { type_: MinoanType::I64 as i32, ..floats(&[], &[]) };
    let count = MinoanArgument { data: exponent.as_ptr().cast_mut().cast(), ..count };
    for backend in 0..2 {
        let results = call(power, backend, &[floats(&[], &[2.0]), count], 1);
        assert_eq!(contents(results.unwrap_or_else(|_| panic!("{}", message()))[0]), [1024.0]);
    }

    let fails = |made: Result<MinoanHandle, MinoanStatus>, status, expected: &str| {
        assert_eq!(made, Err(status));
        assert!(message().contains(expected), "{}", message());
    };
    use MinoanStatus::{BadArgument, BadHandle, Invalid};
    fails(append(last, "scf.fors", &[], &[], &[], 0, &[]), BadArgument, "did you mean 'scf.for'?");
    fails(
        append(last, "cf.br", &[], &[], &[], 0, &[block]),
        BadArgument,
        "successor 0 is a block of another",
    );
    fails(append(last, "cf.br", &[], &[], &[], 0, &[func]), BadHandle, "expected a handle of a block");
    fails(append(block, "func.return", &[of(last, 0)], &[], &[], 0, &[]), BadArgument, "another function");
    fails(append(last, "func.return", &[of(last, 1)], &[], &[], 0, &[]), BadArgument, "no argument 1");
    fails(append(last, "scf.for", &[], &["f33"], &[], 1, &[]), Invalid, "the type of a result");
    fails(append(last, "scf.for", &[], &[], &[], usize::MAX, &[]), BadArgument, "at most 65535 regions");
    fails(add_block(func, 1, &[]), BadArgument, "has 1 regions, and no region 1");
    fails(add_block(func, 0, &["f33"]), Invalid, "the type of a block argument");
    assert_eq!(minoan_operation_erase(func), MinoanStatus::Ok);
    fails(append(last, "func.return", &[], &[], &[], 0, &[]), BadHandle, "erased");
    fails(add_block(repeat, 0, &[]), BadHandle, "erased");
}
