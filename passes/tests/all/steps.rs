//! Large modules take linearly many steps, counted and not timed.

use crate::common;
use minoan_ir::Module;
use minoan_passes::canonicalize::{CanonicalizeOptions, Canonicalizer};
use minoan_passes::cse::{CseStatistics, Eliminator};
use std::fmt::Write;

/// `scf.if` one after another with one condition, each of which uses the result of the one before it.
fn row_of_ifs(count: usize) -> String {
    let mut text = String::from("func.func @f(%c: i1, %v0: i32, %x: i32) -> i32 {\n");
    for at in 0..count {
        let next = at + 1;
        writeln!(
            text,
            "%v{next} = scf.if %c -> (i32) {{
%a = arith.muli %v{at}, %x : i32
scf.yield %a : i32
}} else {{
%b = arith.subi %v{at}, %x : i32
scf.yield %b : i32
}}"
        )
        .expect("a string grows");
    }
    text + &format!("return %v{count} : i32\n}}\n")
}

/// The row inside another `scf.if`: what tells the operations apart is two regions deep.
fn row_of_nested_ifs(count: usize) -> String {
    let mut text = String::from("func.func @f(%c: i1, %v0: i32, %x: i32) -> i32 {\n");
    for at in 0..count {
        let next = at + 1;
        writeln!(
            text,
            "%v{next} = scf.if %c -> (i32) {{
%r = scf.if %c -> (i32) {{
%a = arith.muli %v{at}, %x : i32
scf.yield %a : i32
}} else {{
scf.yield %x : i32
}}
scf.yield %r : i32
}} else {{
scf.yield %x : i32
}}"
        )
        .expect("a string grows");
    }
    text + &format!("return %v{count} : i32\n}}\n")
}

fn eliminate(text: &str) -> CseStatistics {
    let mut module: Module = common::parse(text);
    let ctx = module.body().context().clone();
    let mut eliminator = Eliminator::new(&ctx);
    module.body_mut().nested_bodies_mut().for_each(|body| eliminator.run(body, true));
    eliminator.take_statistics()
}

#[test]
fn rows_of_conditions_are_not_compared_with_one_another() {
    for row in [row_of_ifs, row_of_nested_ifs] {
        let CseStatistics { replaced, compared, .. } = eliminate(&row(2_000));
        assert_eq!(replaced, 0);
        assert!(compared < 20, "{compared} comparisons of operations that all differ");
    }
}

#[test]
fn equal_conditions_are_still_found() {
    let twice = "func.func @f(%c: i1, %x: i32) -> (i32, i32) {
%a = scf.if %c -> (i32) {
%u = arith.muli %x, %x : i32
%p = scf.if %c -> (i32) {
%w = arith.addi %u, %x : i32
scf.yield %w : i32
} else {
scf.yield %u : i32
}
scf.yield %p : i32
} else {
scf.yield %x : i32
}
%b = scf.if %c -> (i32) {
%v = arith.muli %x, %x : i32
%q = scf.if %c -> (i32) {
%z = arith.addi %v, %x : i32
scf.yield %z : i32
} else {
scf.yield %v : i32
}
scf.yield %q : i32
} else {
scf.yield %x : i32
}
return %a, %b : i32, i32
}
";
    assert_eq!(eliminate(twice).replaced, 1);
}

#[test]
fn a_row_of_conditions_is_merged_at_once() {
    let mut module: Module = common::parse(&row_of_ifs(2_000));
    let ctx = module.body().context().clone();
    let canonicalizer =
        Canonicalizer::new(&ctx, CanonicalizeOptions::default()).expect("no pattern is wrong");
    let mut driver = canonicalizer.driver();
    module.body_mut().nested_bodies_mut().for_each(|body| {
        driver.run(body);
    });
    let merged = driver.statistics().patterns.iter().find(|pattern| pattern.name == "scf-if-after-if");
    assert_eq!(merged.map(|pattern| pattern.applied), Some(1));
}

/// Loops in loops, with a load and a store in each.
fn deep_loops(depth: usize) -> String {
    let mut text = String::from(
        "func.func @f(%m: memref<f32>, %n: index) {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n",
    );
    for at in 0..depth {
        writeln!(
            text,
            "%v{at} = memref.load %m[] : memref<f32>\nmemref.store %v{at}, %m[] : memref<f32>\nscf.for %i{at} = %c0 to %n step %c1 {{"
        )
        .expect("a string grows");
    }
    text + &"}\n".repeat(depth) + "return\n}\n"
}

#[test]
fn deep_nests_are_cut_into_functions_of_few_loops() {
    let mut registry = minoan_pass::PassRegistry::new();
    minoan_passes::register(&mut registry);
    let functions = |depth: usize| {
        let line = "builtin.module(outline{max-operations=500})";
        let sources = minoan_diag::SourceMap::new();
        let pipeline = minoan_pass::Pipeline::parse(line, &registry, &sources).expect("a pass");
        let mut module: Module = common::parse(&deep_loops(depth));
        assert!(!minoan_pass::PassManager::new(&pipeline).run(&mut module).failed);
        module.body().block(module.block()).ops().count()
    };
    assert_eq!(functions(20), 1, "twelve of the loops are deep");
    let (small, large) = (functions(400), functions(800));
    assert!((12..=40).contains(&small), "{small} functions for 400 loops");
    assert!((2 * small - 4..=2 * small + 4).contains(&large), "{small} and {large} functions");
}
