//! Functions are compiled and called; errors reach the callback.

use crate::interface::{
    SCALE, call, call_into, call_json, contents, floats, function, message, parse, session, target,
};
use minoan_capi::*;
use std::ffi::{c_char, c_void};
use std::ptr;

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
