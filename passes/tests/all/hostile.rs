//! Large and deeply nested modules: four times the size takes about four times as long.

use crate::common;
use minoan_ir::Module;
use minoan_pass::{PassManager, PassRegistry, Pipeline};
use rustix::time::{ClockId, clock_gettime};
use std::fmt::Write;
use std::time::Duration;

/// The processor time that this process has taken, which does not depend on how busy the machine is.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("the time is positive")
}

/// Measures a pass on a module.
fn time(pass: &str, text: &str) -> Duration {
    let mut registry = PassRegistry::new();
    minoan_passes::register(&mut registry);
    let line = format!("builtin.module({pass})");
    let pipeline = Pipeline::parse(&line, &registry, &minoan_diag::SourceMap::new()).expect("a pass");
    let mut module: Module = common::parse(text);
    let start = processor_time();
    let outcome = PassManager::new(&pipeline).run(&mut module);
    assert!(!outcome.failed, "{pass}: {:?}", outcome.diagnostics);
    processor_time() - start
}

/// The growth may be up to three times linear, since the machine is shared. A quadratic pass would be 16 times
/// slower.
fn grows_linearly(pass: &str, size: usize, text: impl Fn(usize) -> String) {
    let floor = Duration::from_millis(20);
    let (small, large) = (text(size), text(4 * size));
    let ratios = (0..3).map(|_| {
        let (small, large) = (time(pass, &small).max(floor), time(pass, &large));
        large.as_secs_f64() / small.as_secs_f64()
    });
    let mut seen = Vec::new();
    let fits = ratios.inspect(|&ratio| seen.push(ratio)).any(|ratio| ratio < 12.0);
    assert!(fits, "{pass} takes {seen:?} times as long on four times as much");
}

/// Slots that are local to one block, and one that all blocks of a chain access.
fn slots(count: usize) -> String {
    let mut text = String::from(
        "func.func @f(%c: i1, %x: i32) -> i32 {\n%all = memref.alloca() : memref<i32>\nmemref.store %x, %all[] : memref<i32>\ncf.br ^b0\n",
    );
    for at in 0..count {
        let next = at + 1;
        write!(
            text,
            "^b{at}:
%m{at} = memref.alloca() : memref<i32>
memref.store %x, %m{at}[] : memref<i32>
%v{at} = memref.load %m{at}[] : memref<i32>
%w{at} = memref.load %all[] : memref<i32>
%s{at} = arith.addi %v{at}, %w{at} : i32
memref.store %s{at}, %all[] : memref<i32>
cf.cond_br %c, ^b{next}, ^end
"
        )
        .expect("a string grows");
    }
    writeln!(
        text,
        "^b{count}:\ncf.br ^end\n^end:\n%r = memref.load %all[] : memref<i32>\nreturn %r : i32\n}}"
    )
    .expect("a string grows");
    text
}

/// Nested conditionals around `inside`.
fn nest(depth: usize, results: &str, inside: &str, behind: &str) -> String {
    let mut text = String::from("func.func @f(%c: i1, %x: i32, %m: memref<i32>) -> i32 {\n");
    text.push_str("%slot = memref.alloca() : memref<i32>\nmemref.store %x, %slot[] : memref<i32>\n");
    for at in 0..depth {
        let name = if results.is_empty() { String::new() } else { format!("%r{at} = ") };
        writeln!(text, "{name}scf.if %c {results} {{").expect("a string grows");
    }
    text.push_str(inside);
    for at in (0..depth).rev() {
        if results.is_empty() {
            text.push_str("}\n");
        } else {
            let value = if at + 1 == depth { "%inner".to_owned() } else { format!("%r{}", at + 1) };
            writeln!(text, "scf.yield {value} : i32\n}} else {{\nscf.yield %x : i32\n}}")
                .expect("a string grows");
        }
    }
    text.push_str(behind);
    text
}

/// Slots that are accessed in the innermost conditional.
fn nested_slots(depth: usize) -> String {
    let behind = "%r = memref.load %slot[] : memref<i32>\nreturn %r : i32\n}\n";
    nest(depth, "", "memref.store %x, %slot[] : memref<i32>\n", behind)
}

/// The innermost conditional contains a recursive call.
fn nested_calls(depth: usize) -> String {
    let call = "%inner = func.call @f(%c, %x, %m) : (i1, i32, memref<i32>) -> i32\n";
    nest(depth, "-> (i32)", call, "return %r0 : i32\n}\n")
}

/// A chain of functions with a dead argument and a dead result.
fn calls(count: usize) -> String {
    let mut text = String::from(
        "func.func private @f0(%x: tensor<?xf32>, %y: i32) -> (tensor<?xf32>, i32) {\nreturn %x, %y : tensor<?xf32>, i32\n}\n",
    );
    for at in 1..count {
        let before = at - 1;
        write!(
            text,
            "func.func private @f{at}(%x: tensor<?xf32>, %y: i32) -> (tensor<?xf32>, i32) {{
%r:2 = func.call @f{before}(%x, %y) : (tensor<?xf32>, i32) -> (tensor<?xf32>, i32)
%s = arith.addf %r#0, %r#0 : tensor<?xf32>
return %s, %r#1 : tensor<?xf32>, i32
}}
"
        )
        .expect("a string grows");
    }
    let last = count - 1;
    text + &format!(
        "func.func @main(%x: tensor<4xf32>, %y: i32) -> tensor<?xf32> {{
%u = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
%r:2 = func.call @f{last}(%u, %y) : (tensor<?xf32>, i32) -> (tensor<?xf32>, i32)
return %r#0 : tensor<?xf32>
}}
"
    )
}

/// A sequence of loops with operations.
fn loops(count: usize) -> String {
    let mut text = String::from(
        "func.func @f(%n: index, %x: i32, %m: memref<?xi32>) {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c7 = arith.constant 7 : index\n",
    );
    for at in 0..count {
        let upper = if at % 2 == 0 { "%c7" } else { "%n" };
        writeln!(
            text,
            "%q{at} = scf.for %i = %c0 to {upper} step %c1 iter_args(%a = %x) -> (i32) {{
%s = arith.addi %a, %x : i32
%t = arith.muli %s, %x : i32
memref.store %t, %m[%i] : memref<?xi32>
scf.yield %s : i32
}}"
        )
        .expect("a string grows");
    }
    text + "return\n}\n"
}

/// Nested loops, with a chain of invariant operations in the innermost one.
fn nested_loops(depth: usize) -> String {
    let mut text = String::from("func.func @f(%n: index, %m: memref<?xindex>) {\n");
    for at in 0..depth {
        writeln!(text, "scf.for %i{at} = %n to %n step %n {{").expect("a string grows");
    }
    text.push_str("%s = arith.addi %n, %n : index\nmemref.store %s, %m[%i0] : memref<?xindex>\n");
    text + &"}\n".repeat(depth) + "return\n}\n"
}

/// A switch with many cases that forward a value.
fn cases(count: usize) -> String {
    let mut text = String::from(
        "func.func @f(%c: i32, %x: i64) -> i64 {\ncf.switch %c : i32, [\ndefault: ^end(%x : i64)",
    );
    for at in 0..count {
        write!(text, ",\n{at}: ^b{at}").expect("a string grows");
    }
    text.push_str("\n]\n");
    for at in 0..count {
        write!(text, "^b{at}:\n%v{at} = arith.addi %x, %x : i64\ncf.br ^end(%v{at} : i64)\n")
            .expect("a string grows");
    }
    text + "^end(%r: i64):\nreturn %r : i64\n}\n"
}

/// A switch with many cases, to each of which it forwards a value.
fn cases_with_operands(count: usize) -> String {
    let mut text = String::from(
        "func.func @f(%c: i32, %x: i64) -> i64 {\n%y = arith.muli %x, %x : i64\ncf.switch %c : i32, [\ndefault: ^end(%x : i64)",
    );
    for at in 0..count {
        let value = if at % 2 == 0 { "%x" } else { "%y" };
        write!(text, ",\n{at}: ^b{at}({value}, %x : i64, i64)").expect("a string grows");
    }
    text.push_str("\n]\n");
    for at in 0..count {
        write!(
            text,
            "^b{at}(%a{at}: i64, %u{at}: i64):\n%v{at} = arith.addi %a{at}, %y : i64\ncf.br ^end(%v{at} : i64)\n"
        )
        .expect("a string grows");
    }
    text + "^end(%r: i64):\nreturn %r : i64\n}\n"
}

/// A structured switch with many cases.
fn structured_cases(count: usize) -> String {
    let mut text =
        String::from("func.func @f(%i: index, %x: i64) -> i64 {\n%r = scf.index_switch %i -> i64\n");
    for at in 0..count {
        write!(text, "case {at} {{\n%v{at} = arith.muli %x, %x : i64\nscf.yield %v{at} : i64\n}}\n")
            .expect("a string grows");
    }
    text + "default {\nscf.yield %x : i64\n}\nreturn %r : i64\n}\n"
}

/// A function that returns its many arguments.
fn arguments(count: usize) -> String {
    let list = |item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(", ");
    let (args, values, types) =
        (list(&|at| format!("%a{at}: i32")), list(&|at| format!("%a{at}")), list(&|_| "i32".to_owned()));
    format!("func.func @f({args}) -> ({types}) {{\nreturn {values} : {types}\n}}\n")
}

/// Pairs of identical blocks.
fn twins(count: usize) -> String {
    let mut text = String::from("func.func @f(%c: i1, %x: i32, %m: memref<i32>) {\ncf.br ^h0\n");
    for at in 0..count {
        let next = at + 1;
        write!(text, "^h{at}:\ncf.cond_br %c, ^a{at}, ^b{at}\n").expect("a string grows");
        for name in ["a", "b"] {
            write!(text, "^{name}{at}:\nmemref.store %x, %m[] : memref<i32>\ncf.br ^h{next}\n")
                .expect("a string grows");
        }
    }
    text + &format!("^h{count}:\nreturn\n}}\n")
}

/// A sequence of structured operations of all kinds.
fn row_of_structures(count: usize) -> String {
    let mut text = String::from(
        "func.func @f(%c: i1, %n: index, %x: i32, %m: memref<?xi32>) -> i32 {\n%v0 = arith.addi %x, %x : i32\n",
    );
    for at in 0..count {
        let (next, v) = (at + 1, format!("%v{at}"));
        let made = match at % 6 {
            0 => format!("scf.if %c -> (i32) {{\nscf.yield {v} : i32\n}} else {{\nscf.yield %x : i32\n}}"),
            1 => format!(
                "scf.for %i = %n to %n step %n iter_args(%a = {v}) -> (i32) {{\nscf.yield %a : i32\n}}"
            ),
            2 => format!(
                "scf.while (%a = {v}) : (i32) -> i32 {{\nscf.condition(%c) %a : i32\n}} do {{\n^bb0(%b: i32):\n%s = arith.addi %b, %b : i32\nscf.yield %s : i32\n}}"
            ),
            3 => format!("scf.execute_region -> i32 {{\nscf.yield {v} : i32\n}}"),
            4 => format!(
                "scf.index_switch %n -> i32\ncase 2 {{\nscf.yield {v} : i32\n}}\ndefault {{\nscf.yield %x : i32\n}}"
            ),
            _ => format!(
                "arith.addi {v}, %x : i32\nscf.parallel (%i) = (%n) to (%n) step (%n) {{\nmemref.store %x, %m[%i] : memref<?xi32>\nscf.reduce\n}}"
            ),
        };
        writeln!(text, "%v{next} = {made}").expect("a string grows");
    }
    text + &format!("return %v{count} : i32\n}}\n")
}

/// A sequence of calls of a function with several blocks.
fn row_of_calls(count: usize) -> String {
    let mut text = String::from(
        "func.func private @g(%c: i1, %x: i32) -> i32 {\ncf.cond_br %c, ^a, ^b\n^a:\nreturn %x : i32\n^b:\n%s = arith.addi %x, %x : i32\nreturn %s : i32\n}\nfunc.func @f(%c: i1, %v0: i32) -> i32 {\n",
    );
    for at in 0..count {
        let next = at + 1;
        writeln!(text, "%v{next} = func.call @g(%c, %v{at}) : (i1, i32) -> i32").expect("a string grows");
    }
    text + &format!("return %v{count} : i32\n}}\n")
}

/// Functions of which each one calls the next.
fn chain_of_calls(count: usize) -> String {
    let mut text = String::from(
        "func.func @main(%x: i32) -> i32 {\n%r = call @f0(%x) : (i32) -> i32\nreturn %r : i32\n}\n",
    );
    for at in 0..count {
        let rest = match at + 1 {
            next if next < count => format!("call @f{next}(%x) : (i32) -> i32"),
            _ => "arith.addi %x, %x : i32".to_owned(),
        };
        let head = format!("func.func private @f{at}(%x: i32) -> i32 {{\n%y = {rest}\n");
        text += &head;
        text += "%z = arith.divsi %y, %x : i32\nreturn %z : i32\n}\n";
    }
    text
}

/// A chain of blocks, the last one first in the text.
fn chain_of_blocks(count: usize) -> String {
    let mut text = String::from(
        "func.func @f(%c: i1, %x: i32, %m: memref<i32>) {\ncf.cond_br %c, ^b0(%x : i32), ^end\n",
    );
    for at in (0..count).rev() {
        let next = match at + 1 {
            next if next < count => format!("^b{next}(%s{at} : i32)"),
            _ => "^end".to_owned(),
        };
        write!(
            text,
            "^b{at}(%a{at}: i32):\n%s{at} = arith.divsi %a{at}, %x : i32\nmemref.store %s{at}, %m[] : memref<i32>\ncf.br {next}\n"
        )
        .expect("a string grows");
    }
    text + "^end:\nreturn\n}\n"
}

#[test]
fn structured_operations_are_lowered_in_linear_time() {
    grows_linearly("convert-scf-to-cf", 6_000, row_of_structures);
}

#[test]
fn calls_are_inlined_in_linear_time() {
    grows_linearly("inline{max-operations=1000000 default-pipeline=}", 4_000, row_of_calls);
}

#[test]
fn chains_of_calls_are_inlined_in_linear_time() {
    grows_linearly("inline{max-operations=1000000 default-pipeline=}", 2_000, chain_of_calls);
    grows_linearly("inline", 500, chain_of_calls);
}

#[test]
fn block_chains_are_merged_in_linear_time() {
    for pass in ["simplify-cfg", "canonicalize"] {
        grows_linearly(pass, 6_000, chain_of_blocks);
    }
}

#[test]
fn slots_are_promoted_in_linear_time() {
    grows_linearly("mem2reg", 3_500, slots);
}

#[test]
fn slots_are_promoted_through_deep_nesting_in_linear_time() {
    grows_linearly("mem2reg", 5_000, nested_slots);
}

#[test]
fn dead_values_are_removed_in_linear_time() {
    grows_linearly("remove-dead-values", 2_500, calls);
    grows_linearly("remove-dead-values", 2_500, loops);
    grows_linearly("remove-dead-values", 5_000, nested_calls);
}

#[test]
fn shapes_are_inferred_in_linear_time() {
    grows_linearly("infer-shapes", 2_500, calls);
}

#[test]
fn hoisting_from_deep_loop_nests_takes_linear_time() {
    grows_linearly("loop-invariant-code-motion", 5_000, nested_loops);
}

#[test]
fn structured_switches_with_many_cases_take_linear_time() {
    for pass in ["dce", "resolve-extents", "raise-loops", "canonicalize"] {
        grows_linearly(pass, 1_500, structured_cases);
    }
}

#[test]
fn functions_with_many_arguments_take_linear_time() {
    for pass in ["dce", "canonicalize", "cse"] {
        grows_linearly(pass, 3_000, arguments);
    }
}

#[test]
fn switches_with_many_cases_take_linear_time() {
    for pass in ["sccp", "dce", "remove-dead-values", "infer-shapes", "simplify-cfg", "canonicalize", "cse"] {
        grows_linearly(pass, 2_000, cases);
        grows_linearly(pass, 1_000, cases_with_operands);
    }
}

#[test]
fn loops_are_unrolled_in_linear_time() {
    grows_linearly("loop-unroll", 2_500, loops);
    grows_linearly("loop-unroll{unroll-full}", 2_500, loops);
}

#[test]
fn loops_are_outlined_in_linear_time() {
    grows_linearly("outline{min-operations=2}", 2_500, loops);
}

/// A region of many blocks, each second one of which is an exit.
fn exits(count: usize) -> String {
    let mut text =
        String::from("func.func @f(%x: i32, %c: i1) -> i32 {\n%r = scf.execute_region -> i32 {\ncf.br ^b0\n");
    for at in 0..count {
        let next = at + 1;
        writeln!(text, "^b{at}:\ncf.cond_br %c, ^e{at}, ^b{next}\n^e{at}:\nscf.yield %x : i32")
            .expect("a string grows");
    }
    writeln!(text, "^b{count}:\nscf.yield %x : i32\n}} {{mark}}\nreturn %r : i32\n}}")
        .expect("a string grows");
    text
}

#[test]
fn regions_with_many_exits_are_outlined_in_linear_time() {
    grows_linearly("outline{attribute=mark}", 5_000, exits);
}

#[test]
fn repeated_and_deeply_nested_loops_are_shared_in_linear_time() {
    grows_linearly("outline{repeated=16}", 2_500, loops);
    grows_linearly("outline{repeated=16}", 2_500, nested_loops);
}

#[test]
fn tail_calls_under_deep_nesting_become_branches_in_linear_time() {
    grows_linearly("tail-recursion-to-loop", 1_000, nested_calls);
}

#[test]
fn equal_blocks_are_merged_in_linear_time() {
    grows_linearly("simplify-cfg{merge-identical-blocks}", 2_500, twins);
}

/// Conditions in conditions, each of which yields a tensor that the innermost one makes of one from outside.
fn nested_tensors(depth: usize) -> String {
    let mut text = String::from(
        "func.func @f(%c: i1, %n: index, %x: f32) -> tensor<?xf32> {\n%t = tensor.splat %x[%n] : tensor<?xf32>\n",
    );
    for at in 0..depth {
        writeln!(text, "%r{at} = scf.if %c -> (tensor<?xf32>) {{").expect("a string grows");
    }
    text.push_str("%inner = tensor.insert %x into %t[%n] : tensor<?xf32>\n");
    for at in (0..depth).rev() {
        let value = if at + 1 == depth { "%inner".to_owned() } else { format!("%r{}", at + 1) };
        writeln!(text, "scf.yield {value} : tensor<?xf32>\n}} else {{\nscf.yield %t : tensor<?xf32>\n}}")
            .expect("a string grows");
    }
    text + "return %r0 : tensor<?xf32>\n}\n"
}

/// Casts of casts, with an insertion after each two.
fn casts(count: usize) -> String {
    let mut text = String::from("func.func @f(%t0: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {\n");
    for at in 0..count {
        let next = at + 1;
        writeln!(
            text,
            "%u{at} = tensor.cast %t{at} : tensor<4xf32> to tensor<?xf32>
%v{at} = tensor.cast %u{at} : tensor<?xf32> to tensor<4xf32>
%t{next} = tensor.insert %x into %v{at}[%i] : tensor<4xf32>"
        )
        .expect("a string grows");
    }
    text + &format!("return %t{count} : tensor<4xf32>\n}}\n")
}

#[test]
fn buffers_are_planned_in_linear_time() {
    grows_linearly("plan-buffers", 250, nested_tensors);
    grows_linearly("plan-buffers", 2_000, casts);
}
