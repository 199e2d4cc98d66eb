//! Random sequences of calls, in which handles are stale, of another kind or made up.

use crate::interface::{SCALE, add_block, append, c, create, floats, message, of, parse, session, value};
use minoan_capi::*;
use proptest::prelude::*;
use std::ffi::c_char;
use std::ptr;

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
