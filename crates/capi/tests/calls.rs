//! The functions of the interface, as a C program calls them: one use of each, and random sequences in which handles are
//! stale, of another kind or made up.
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "what each call requires of its pointers holds for variables of the test"
)]

use minoan_capi::*;
use proptest::prelude::*;
use std::ffi::{CString, c_char, c_void};
use std::ptr;

fn c(text: &str) -> CString {
    CString::new(text).expect("no zero bytes")
}

fn message() -> String {
    let mut buffer = [0u8; 4096];
    // SAFETY: the buffer has its size.
    unsafe { minoan_error_message(buffer.as_mut_ptr().cast(), buffer.len(), ptr::null_mut()) };
    let len = buffer.iter().position(|&byte| byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..len]).into_owned()
}

/// A text of the interface.
fn read(get: impl Fn(*mut c_char, usize, *mut usize) -> MinoanStatus) -> Result<String, MinoanStatus> {
    let mut needed = 0;
    match get(ptr::null_mut(), 0, &raw mut needed) {
        MinoanStatus::Ok => {}
        status => return Err(status),
    }
    let mut buffer = vec![0u8; needed];
    assert_eq!(get(buffer.as_mut_ptr().cast(), needed, ptr::null_mut()), MinoanStatus::Ok);
    assert_eq!(buffer.pop(), Some(0));
    Ok(String::from_utf8(buffer).expect("texts are UTF-8"))
}

fn made(make: impl FnOnce(*mut MinoanHandle) -> MinoanStatus) -> Result<MinoanHandle, MinoanStatus> {
    let mut handle = MinoanHandle::default();
    match make(&raw mut handle) {
        MinoanStatus::Ok => Ok(handle),
        status => Err(status),
    }
}

fn session() -> MinoanHandle {
    // SAFETY: the handle is valid for a write.
    let session = made(|out| unsafe { minoan_session_create(out) }).expect("a session");
    // Valgrind does not know AVX-512.
    let (name, value) = (c("cpu"), c("x86-64-v3"));
    if cfg!(target_arch = "x86_64") {
        assert_eq!(
            unsafe { minoan_session_set_option(session, name.as_ptr(), value.as_ptr()) },
            MinoanStatus::Ok
        );
    }
    session
}

fn parse(session: MinoanHandle, name: &str, text: &str) -> Result<MinoanHandle, MinoanStatus> {
    let (name, text) = (c(name), c(text));
    // SAFETY: C strings, and a handle that is valid for a write.
    made(|out| unsafe { minoan_module_parse(session, name.as_ptr(), text.as_ptr(), out) })
}

fn function(module: MinoanHandle, symbol: &str) -> Result<MinoanHandle, MinoanStatus> {
    let symbol = c(symbol);
    // SAFETY: as above.
    made(|out| unsafe { minoan_function_create(module, symbol.as_ptr(), out) })
}

fn floats(shape: &[usize], data: &[f32]) -> MinoanArgument {
    MinoanArgument {
        type_: MinoanType::F32 as i32,
        writable: false,
        rank: shape.len(),
        shape: shape.as_ptr(),
        strides: ptr::null(),
        data: data.as_ptr().cast_mut().cast(),
    }
}

fn call(
    function: MinoanHandle,
    backend: i32,
    args: &[MinoanArgument],
    results: usize,
) -> Result<Vec<MinoanHandle>, MinoanStatus> {
    let mut handles = vec![MinoanHandle::default(); results];
    // SAFETY: as many arguments and handles as the lengths say; the arguments describe arrays of the caller.
    let status = unsafe {
        minoan_function_call(
            function,
            backend,
            args.as_ptr(),
            args.len(),
            handles.as_mut_ptr(),
            handles.len(),
        )
    };
    if status == MinoanStatus::Ok { Ok(handles) } else { Err(status) }
}

fn contents(array: MinoanHandle) -> Vec<f32> {
    let (mut data, mut size) = (ptr::null::<c_void>(), 0);
    // SAFETY: both are valid for a write; the array is of floats and lives.
    unsafe {
        assert_eq!(minoan_array_data(array, &raw mut data, &raw mut size), MinoanStatus::Ok, "{}", message());
        std::slice::from_raw_parts(data.cast::<f32>(), size / 4).to_vec()
    }
}

const SCALE: &str = "(def scale (Vec Float) ((s : Float) (v : Vec Float))
  (build (size v) (lam (i : Integer) (mul s (index i v)))))";

#[test]
fn a_program_is_compiled_and_called() {
    let session = session();
    let module = parse(session, "scale.ks", SCALE).unwrap_or_else(|_| panic!("{}", message()));
    let scale = function(module, "scale").unwrap_or_else(|_| panic!("{}", message()));
    assert_eq!(minoan_release(module), MinoanStatus::Ok);
    assert_eq!(minoan_release(session), MinoanStatus::Ok);
    let (mut arguments, mut results) = (0, 0);
    // SAFETY: both are valid for a write.
    let status = unsafe { minoan_function_counts(scale, &raw mut arguments, &raw mut results) };
    assert_eq!((status, arguments, results), (MinoanStatus::Ok, 2, 1));
    let (mut ty, mut rank, mut shape) = (0, 0, [0isize; 2]);
    // SAFETY: all are valid for writes.
    let status = unsafe {
        minoan_function_type(scale, false, 1, &raw mut ty, &raw mut rank, shape.as_mut_ptr(), shape.len())
    };
    assert_eq!((status, ty, rank, shape[0]), (MinoanStatus::Ok, MinoanType::F32 as i32, 1, -1));
    let factor = [2.0f32];
    let numbers = [1.0f32, 2.0, 3.0, 4.0];
    for backend in [0, 1, 2] {
        let args = [floats(&[], &factor), floats(&[4], &numbers)];
        let results = call(scale, backend, &args, 1).unwrap_or_else(|_| panic!("{}", message()));
        assert_eq!(contents(results[0]), [2.0, 4.0, 6.0, 8.0]);
        // Every other element, backwards.
        let strides = [-8isize];
        let last = [2usize];
        let mut reversed = floats(&last, &numbers[3..]);
        reversed.strides = strides.as_ptr();
        let results = call(scale, backend, &[floats(&[], &factor), reversed], 1);
        let results = results.unwrap_or_else(|_| panic!("{}", message()));
        assert_eq!(contents(results[0]), [8.0, 4.0]);
        assert_eq!(minoan_release(results[0]), MinoanStatus::Ok);
        assert_eq!(minoan_release(results[0]), MinoanStatus::BadHandle);
        let wrong = [floats(&[], &factor), floats(&[2, 2], &numbers)];
        assert_ne!(call(scale, backend, &wrong, 1), Ok(Vec::new()));
        assert!(message().contains("expected a tensor of shape [?], found [2, 2]"), "{}", message());
        assert_eq!(call(scale, backend, &wrong, 0), Err(MinoanStatus::BadArgument));
        assert_eq!(message(), "expected room for 1 results, found 0");
    }
    assert_eq!(
        call(scale, 7, &[floats(&[], &factor), floats(&[4], &numbers)], 1),
        Err(MinoanStatus::BadArgument)
    );
}

fn call_into(
    function: MinoanHandle,
    backend: i32,
    args: &[MinoanArgument],
    into: &[MinoanArgument],
) -> Result<(), String> {
    // SAFETY: as many arguments as the lengths say, which describe arrays of the caller.
    let status = unsafe {
        minoan_function_call_into(function, backend, args.as_ptr(), args.len(), into.as_ptr(), into.len())
    };
    if status == MinoanStatus::Ok { Ok(()) } else { Err(message()) }
}

/// An array that results are written to.
fn target(shape: &[usize], data: &mut [f32]) -> MinoanArgument {
    MinoanArgument { writable: true, data: data.as_mut_ptr().cast(), ..floats(shape, &[]) }
}

#[test]
fn results_are_written_to_arrays_of_the_caller() {
    let session = session();
    let module = parse(session, "scale.ks", SCALE).unwrap_or_else(|_| panic!("{}", message()));
    let scale = function(module, "scale").unwrap_or_else(|_| panic!("{}", message()));
    let (factor, numbers) = ([2.0f32], [1.0f32, 2.0, 3.0, 4.0]);
    for backend in [0, 1, 2] {
        let args = [floats(&[], &factor), floats(&[4], &numbers)];
        let mut out = [0.0f32; 4];
        assert_eq!(call_into(scale, backend, &args, &[target(&[4], &mut out)]), Ok(()));
        assert_eq!(out, [2.0, 4.0, 6.0, 8.0]);
        // Every other element, backwards.
        let mut out = [0.0f32; 8];
        let strides = [-8isize];
        let mut strided = target(&[4], &mut out[7..]);
        strided.strides = strides.as_ptr();
        assert_eq!(call_into(scale, backend, &args, &[strided]), Ok(()));
        assert_eq!(out, [0.0, 8.0, 0.0, 6.0, 0.0, 4.0, 0.0, 2.0]);
        // The argument itself.
        let mut both = numbers;
        let in_place = target(&[4], &mut both);
        let args = [floats(&[], &factor), in_place];
        assert_eq!(call_into(scale, backend, &args, &[in_place]), Ok(()));
        assert_eq!(both, [2.0, 4.0, 6.0, 8.0]);

        let args = [floats(&[], &factor), floats(&[4], &numbers)];
        let mut out = [0.0f32; 4];
        let wrong = call_into(scale, backend, &args, &[target(&[3], &mut out)]);
        assert_eq!(wrong, Err("result 1: expected an array of shape [4], found [3]".to_owned()));
        let wrong = call_into(scale, backend, &args, &[target(&[2, 2], &mut out)]);
        let found = "result 1: expected a tensor of shape [?], found [2, 2]";
        assert_eq!(wrong, Err(found.to_owned()));
        let wrong = call_into(scale, backend, &args, &[floats(&[4], &out)]);
        assert_eq!(wrong, Err("result 1: the array is not writable".to_owned()));
        let wrong = MinoanArgument { type_: MinoanType::I32 as i32, ..target(&[4], &mut out) };
        let wrong = call_into(scale, backend, &args, &[wrong]).expect_err("another type");
        assert!(wrong.starts_with("result 1: ") && wrong.contains("int32"), "{wrong}");
        let wrong = call_into(scale, backend, &args, &[]);
        assert_eq!(wrong, Err("expected 1 destinations, found 0".to_owned()));
        assert_eq!(out, [0.0; 4]);
    }
}

#[test]
fn tuples_are_written_to_scalars_and_arrays() {
    let session = session();
    let text = "(def f (Tuple Float (Vec Float) Float) ((s : Float) (v : Vec Float))
  (tuple (add s 1.0) (build (size v) (lam (i : Integer) (mul s (index i v)))) (index 0 v)))";
    let module = parse(session, "f.ks", text).unwrap_or_else(|_| panic!("{}", message()));
    let f = function(module, "f").unwrap_or_else(|_| panic!("{}", message()));
    let (factor, numbers) = ([2.0f32], [3.0f32, 4.0]);
    let args = [floats(&[], &factor), floats(&[2], &numbers)];
    for backend in [0, 1, 2] {
        let (mut first, mut last, mut out) = ([0.0f32], [0.0f32], [0.0f32; 2]);
        let into = [target(&[], &mut first), target(&[2], &mut out), target(&[], &mut last)];
        assert_eq!(call_into(f, backend, &args, &into), Ok(()));
        assert_eq!((first, out, last), ([3.0], [6.0, 8.0], [3.0]));
        let wrong = [target(&[2], &mut out), target(&[2], &mut [0.0; 2]), target(&[], &mut last)];
        let expected = "result 1: expected float32 of rank 0, found float32 of rank 1";
        assert_eq!(call_into(f, backend, &args, &wrong), Err(expected.to_owned()));
    }
}

unsafe extern "C" fn count(
    severity: i32,
    file: *const c_char,
    line: u32,
    _: u32,
    _: *const c_char,
    rendered: *const c_char,
    user: *mut c_void,
) {
    if severity == 0 && line == 1 && !file.is_null() && !rendered.is_null() {
        // SAFETY: the pointer that was registered.
        unsafe { *user.cast::<usize>() += 1 };
    }
}

#[test]
fn errors_have_places_and_reach_the_callback() {
    let session = session();
    let mut seen = 0usize;
    // SAFETY: the counter outlives the session's use.
    unsafe { minoan_session_on_diagnostic(session, Some(count), (&raw mut seen).cast()) };
    assert_eq!(parse(session, "bad.ks", "(def f Float (x : Float) (mul x y))"), Err(MinoanStatus::Invalid));
    assert!(message().contains("bad.ks:1:"), "{}", message());
    assert_eq!(seen, 1);
    let module =
        parse(session, "f.ks", "(def f Integer (x : Integer) (assert (gt x 1) x))").expect("it is valid");
    let f = function(module, "f").unwrap_or_else(|_| panic!("{}", message()));
    let one = [1i64];
    let arg = MinoanArgument { type_: MinoanType::I64 as i32, ..floats(&[], &[]) };
    let arg = MinoanArgument { data: one.as_ptr().cast_mut().cast(), ..arg };
    assert_eq!(call(f, 0, &[arg], 1), Err(MinoanStatus::Fault));
    assert!(message().contains("Assert failed"), "{}", message());
    assert_eq!(call(f, 1, &[arg], 1), Err(MinoanStatus::Fault));
    assert_eq!(function(module, "g"), Err(MinoanStatus::Invalid));
    assert_eq!(function(session, "f"), Err(MinoanStatus::BadHandle));
    assert_eq!(message(), "expected a handle of a module, found one of kind 'session'");
    // SAFETY: nothing is registered any more.
    unsafe { minoan_session_on_diagnostic(session, None, ptr::null_mut()) };
}

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

/// A result of an operation, or an argument of its first block.
fn value(operation: MinoanHandle, number: u8) -> MinoanValue {
    let region = i32::from(number % 3) - 1;
    MinoanValue { operation, region, block: 0, index: usize::from(number / 100) }
}

fn create(
    place: MinoanHandle,
    position: i32,
    name: &str,
    operands: &[MinoanValue],
    ty: &str,
) -> Result<MinoanHandle, MinoanStatus> {
    let (name, ty) = (c(name), c(ty));
    let types = [ty.as_ptr()];
    let state = MinoanOperationState {
        name: name.as_ptr(),
        operands: operands.as_ptr(),
        operand_count: operands.len(),
        result_types: types.as_ptr(),
        result_count: 1,
        attribute_names: ptr::null(),
        attribute_values: ptr::null(),
        attribute_count: 0,
        region_count: 0,
        successors: ptr::null(),
        successor_count: 0,
    };
    made(|out| unsafe { minoan_operation_create(place, position, &raw const state, out) })
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

/// Appends an operation to a block. Attributes alternate between names and values.
fn append(
    block: MinoanHandle,
    name: &str,
    operands: &[MinoanValue],
    types: &[&str],
    attributes: &[(&str, &str)],
    regions: usize,
    successors: &[MinoanHandle],
) -> Result<MinoanHandle, MinoanStatus> {
    let name = c(name);
    let types: Vec<CString> = types.iter().map(|&ty| c(ty)).collect();
    let keys: Vec<CString> = attributes.iter().map(|&(key, _)| c(key)).collect();
    let values: Vec<CString> = attributes.iter().map(|&(_, value)| c(value)).collect();
    let pointers = |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).collect::<Vec<_>>();
    let (types, keys, values) = (pointers(&types), pointers(&keys), pointers(&values));
    let state = MinoanOperationState {
        name: name.as_ptr(),
        operands: operands.as_ptr(),
        operand_count: operands.len(),
        result_types: types.as_ptr(),
        result_count: types.len(),
        attribute_names: keys.as_ptr(),
        attribute_values: values.as_ptr(),
        attribute_count: keys.len(),
        region_count: regions,
        successors: successors.as_ptr(),
        successor_count: successors.len(),
    };
    // SAFETY: the pointers are those of the vectors above.
    made(|out| unsafe { minoan_block_append(block, &raw const state, out) })
}

fn add_block(operation: MinoanHandle, region: usize, types: &[&str]) -> Result<MinoanHandle, MinoanStatus> {
    let types: Vec<CString> = types.iter().map(|&ty| c(ty)).collect();
    let pointers: Vec<*const c_char> = types.iter().map(|text| text.as_ptr()).collect();
    // SAFETY: as above.
    made(|out| unsafe {
        minoan_operation_add_block(operation, region, pointers.as_ptr(), pointers.len(), out)
    })
}

/// The value with an index of an operation or block.
fn of(handle: MinoanHandle, index: usize) -> MinoanValue {
    MinoanValue { operation: handle, region: -1, block: 0, index }
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

fn call_json(function: MinoanHandle, backend: i32, arguments: &str) -> Result<String, MinoanStatus> {
    let arguments = c(arguments);
    let array = made(|out| unsafe { minoan_function_call_json(function, backend, arguments.as_ptr(), out) })?;
    let (mut data, mut size) = (ptr::null(), 0);
    assert_eq!(unsafe { minoan_array_data(array, &raw mut data, &raw mut size) }, MinoanStatus::Ok);
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) }.to_vec();
    assert_eq!(minoan_release(array), MinoanStatus::Ok);
    Ok(String::from_utf8(bytes).expect("JSON is UTF-8"))
}

#[test]
fn values_of_data_types_are_json() {
    let text = "#[version = \"0.0.5\"]
        def @go(%xs: List[int32], %done: List[int32]) -> List[int32] {
          match (%xs) { Cons(%x, %rest) => @go(%rest, Cons(%x, %done)), Nil => %done }
        }
        def @main(%xs: List[int32], %n: int32) -> (List[int32], int32) { (@go(%xs, Nil), %n + 1) }";
    let module = parse(session(), "lists.relay", text).unwrap_or_else(|_| panic!("{}", message()));
    let reverse = function(module, "main").unwrap_or_else(|_| panic!("{}", message()));
    let list = |first: &str, second: &str| {
        let rest = r#"{"ctor":"Nil","fields":[]}"#;
        format!(r#"{{"ctor":"Cons","fields":[{first},{{"ctor":"Cons","fields":[{second},{rest}]}}]}}"#)
    };
    for backend in 0..3 {
        let found = call_json(reverse, backend, &format!("[{}, 41]", list("1", "2")));
        let found = found.unwrap_or_else(|_| panic!("{}", message()));
        assert_eq!(found, format!(r#"{{"tuple":[{},42]}}"#, list("2", "1")));
    }
    let mut counts = [0usize; 2];
    let [arguments, results] = &mut counts;
    assert_eq!(unsafe { minoan_function_counts(reverse, arguments, results) }, MinoanStatus::Ok);
    assert_eq!(counts, [2, 2]);
    let mut ty = 7;
    let status =
        unsafe { minoan_function_type(reverse, false, 0, &raw mut ty, ptr::null_mut(), ptr::null_mut(), 0) };
    assert_eq!((status, ty), (MinoanStatus::Ok, -1));
    let fails = |found: Result<String, MinoanStatus>, status, expected: &str| {
        assert_eq!(found, Err(status));
        assert!(message().contains(expected), "{}", message());
    };
    fails(call_json(reverse, 0, "[1, 2"), MinoanStatus::Invalid, "");
    fails(call_json(reverse, 0, "[1]"), MinoanStatus::Invalid, "argument");
    fails(call_json(reverse, 0, r#"[{"ctor": "Leaf"}, 1]"#), MinoanStatus::Invalid, "'Cons' or 'Nil'");
    fails(call_json(reverse, 9, "[]"), MinoanStatus::BadArgument, "no back end 9");
    let (x, n) = (floats(&[], &[1.0]), floats(&[], &[1.0]));
    assert_eq!(call(reverse, 0, &[x, n], 2), Err(MinoanStatus::BadArgument));
    assert!(message().contains("call it by minoan_function_call_json"), "{}", message());
}

/// A step of a random program: a function, and two numbers that choose its arguments.
type Step = (u8, u8, u8);

/// Runs a step; any status is right, a crash is not.
fn step((which, first, second): Step, handles: &mut Vec<MinoanHandle>) {
    let pick = |number: u8| match handles.len() {
        0 => MinoanHandle { id: u64::from(number) },
        // Some handles are made up.
        _ if number > 250 => MinoanHandle { id: u64::from(number) << 30 },
        len => handles[usize::from(number) % len],
    };
    let (a, b) = (pick(first), pick(second));
    let mut out = MinoanHandle::default();
    let mut text = [0u8; 40];
    let (buffer, size) = (text.as_mut_ptr().cast::<c_char>(), usize::from(second) % text.len());
    let names =
        ["f", "g", "x.mlir", "x.ks", "", "sym_name", "2 : i64", "cpu", "builtin.module(canonicalize)"];
    let name = c(names[usize::from(second) % names.len()]);
    let sources = [SCALE, "func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}", "(", "module {"];
    let source = c(sources[usize::from(first) % sources.len()]);
    let numbers = [1.0f32, 2.0, 3.0, 4.0];
    let shape = [usize::from(second % 5)];
    let arg = floats(&shape[..usize::from(first % 2)], &numbers);
    let mut results = [MinoanHandle::default(); 2];
    let mut count = 0usize;
    // SAFETY: each pointer is null or to a variable above; the lengths are theirs.
    unsafe {
        match which % 26 {
            0 if handles.len() < 8 => out = session(),
            1 => {
                _ = minoan_module_parse(
                    a,
                    c(if first % 4 == 0 { "x.ks" } else { "x.mlir" }).as_ptr(),
                    source.as_ptr(),
                    &raw mut out,
                )
            }
            2 => _ = minoan_module_create(a, &raw mut out),
            3 => _ = minoan_module_clone(a, &raw mut out),
            4 => _ = minoan_module_append(a, source.as_ptr()),
            5 => _ = minoan_module_print(a, second % 2 == 0, buffer, size, ptr::null_mut()),
            6 => _ = minoan_module_verify(a),
            7 => _ = minoan_module_run(a, name.as_ptr()),
            8 => _ = minoan_module_operation(a, &raw mut out),
            9 => {
                _ = minoan_operation_first(
                    a,
                    usize::from(second % 2),
                    usize::from(second / 128),
                    &raw mut out,
                )
            }
            10 => _ = minoan_operation_next(a, &raw mut out),
            11 => {
                _ = minoan_operation_print(
                    a,
                    i32::from(second % 7),
                    usize::from(first % 3),
                    buffer,
                    size,
                    &raw mut count,
                )
            }
            12 => _ = minoan_operation_attribute(a, name.as_ptr(), buffer, size, ptr::null_mut()),
            13 => {
                _ = minoan_operation_set_attribute(
                    a,
                    c("sym_name").as_ptr(),
                    if second % 2 == 0 { ptr::null() } else { name.as_ptr() },
                )
            }
            14 => _ = minoan_operation_erase(a),
            15 => {
                _ = minoan_function_create(
                    a,
                    c(if second % 2 == 0 { "f" } else { "scale" }).as_ptr(),
                    &raw mut out,
                )
            }
            16 => {
                _ = minoan_function_call(
                    a,
                    1 + i32::from(second % 3),
                    &raw const arg,
                    1,
                    results.as_mut_ptr(),
                    usize::from(1 + first % 2),
                )
            }
            17 => _ = minoan_array_type(a, ptr::null_mut(), ptr::null_mut(), &raw mut count, 1),
            18 => _ = minoan_session_set_option(a, name.as_ptr(), name.as_ptr()),
            19 => {
                _ = create(a, i32::from(first % 3), "arith.addf", &[value(b, first), value(b, second)], "f32")
            }
            20 => _ = minoan_operation_set_operand(a, usize::from(first % 3), value(b, second)),
            21 => {
                if let Ok(block) = add_block(a, usize::from(second % 2), &["f32"][..usize::from(first % 2)]) {
                    out = block;
                }
            }
            22 => _ = minoan_operation_block(a, 0, usize::from(second / 128), &raw mut out),
            23 => {
                let names = [
                    "func.func",
                    "scf.for",
                    "scf.if",
                    "arith.addf",
                    "func.return",
                    "cf.br",
                    "builtin.module",
                ];
                let attributes = [("sym_name", "\"f\""), ("function_type", "(f32) -> f32")];
                let values = [value(b, first), value(b, second), of(b, 0)];
                if let Ok(op) = append(
                    a,
                    names[usize::from(second) % names.len()],
                    &values[..usize::from(first % 4)],
                    &["f32"][..usize::from(second / 16 % 2)],
                    &attributes[..usize::from(first / 4 % 3)],
                    usize::from(first / 16 % 3),
                    &[b][..usize::from(second / 32 % 2)],
                ) {
                    out = op;
                }
            }
            24 => {
                let arguments = ["[1.5, [1, 2]]", "[2]", "[", "{}"][usize::from(second) % 4];
                _ = minoan_function_call_json(
                    a,
                    1 + i32::from(first % 3),
                    c(arguments).as_ptr(),
                    &raw mut out,
                )
            }
            _ => _ = minoan_release(b),
        }
    }
    // Released handles stay in the list, so that they are used again.
    handles.extend(
        [out, results[0], results[1]].into_iter().filter(|handle| *handle != MinoanHandle::default()),
    );
    assert!(!message().starts_with("internal error"), "{}", message());
}

/// The number of random sequences; `MINOAN_SEQUENCES` replaces it, for a run under valgrind.
fn cases() -> u32 {
    std::env::var("MINOAN_SEQUENCES").ok().and_then(|count| count.parse().ok()).unwrap_or(48)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_sequence_of_calls_crashes(steps in prop::collection::vec(any::<Step>(), 0..120)) {
        let mut handles = vec![session()];
        let module = parse(handles[0], "f.mlir", "func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}");
        handles.extend(module);
        steps.into_iter().for_each(|one| step(one, &mut handles));
        for handle in handles {
            minoan_release(handle);
        }
    }
}
