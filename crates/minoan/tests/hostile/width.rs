//! A great deal of one thing: results, arguments, successors, attributes, aliases, errors. Time and memory stay in
//! proportion.

use super::{OPEN, all_ways, alone, peak, read};
use minoan::Session;
use minoan::diag::SourceMap;
use minoan::ir::Context;
use minoan::ir::text::parse_module;
use std::time::{Duration, Instant};

/// `count` of something, with commas between.
fn list(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(", ")
}

/// Reading, verifying, printing and copying four times as much takes less than twelve times as long; a square would
/// be sixteen times.
fn grows_linearly(what: &str, text: impl Fn(usize) -> String) {
    let time = |ctx: &Context, text: &str| {
        let start = Instant::now();
        all_ways(ctx, text);
        start.elapsed()
    };
    let session = Session::new();
    let (small, large) = (text(5_000), text(20_000));
    let floor = Duration::from_millis(20);
    let mut seen = Vec::new();
    let fits = (0..3).any(|_| {
        let small = time(session.context(), &small).max(floor);
        let ratio = time(session.context(), &large).as_secs_f64() / small.as_secs_f64();
        seen.push(ratio);
        ratio < 12.0
    });
    assert!(fits, "{what}: {seen:?} times as long for four times as much");
}

#[test]
fn results_and_operands() {
    let _alone = alone();
    grows_linearly("results", |count| {
        let types = list(count, |_| "i1".to_owned());
        let operands = list(count, |at| format!("%r#{at}"));
        format!("%r:{count} = \"a.b\"() : () -> ({types})\n\"a.c\"({operands}) : ({types}) -> ()")
    });
    grows_linearly("names of results", |count| {
        let names = list(count, |at| format!("%r{at}"));
        format!("{names} = \"a.b\"() : () -> ({})", list(count, |_| "i1".to_owned()))
    });
}

#[test]
fn arguments() {
    let _alone = alone();
    let args = |count| list(count, |at| format!("%a{at}: i64"));
    grows_linearly("arguments of a function", |count| {
        format!("func.func @f({}) {{\nreturn\n}}", args(count))
    });
    grows_linearly("arguments of a block", |count| {
        let uses = list(count, |at| format!("%a{at}"));
        let types = list(count, |_| "i64".to_owned());
        format!("\"a.b\"() ({{\n^bb0({}):\n\"a.c\"({uses}) : ({types}) -> ()\n}}) : () -> ()", args(count))
    });
    grows_linearly("carried values on one line", |count| {
        let types = list(count, |_| "i64".to_owned());
        format!(
            "func.func @f(%l: index, %x: i64) {{\n%r:{count} = scf.for %i = %l to %l step %l iter_args({}) -> ({types}) {{\nscf.yield {} : {types}\n}}\nreturn\n}}",
            list(count, |at| format!("%a{at} = %x")),
            list(count, |at| format!("%a{at}")),
        )
    });
}

#[test]
fn blocks_and_successors() {
    let _alone = alone();
    grows_linearly("cases of a switch", |count| {
        let cases: String = (0..count).map(|at| format!(",\n{at}: ^b{at}(%x : i64)")).collect();
        let blocks: String = (0..count).map(|at| format!("^b{at}(%v{at}: i64):\ncf.br ^end\n")).collect();
        format!(
            "func.func @f(%c: i32, %x: i64) {{\ncf.switch %c : i32, [\ndefault: ^end{cases}\n]\n^end:\nreturn\n{blocks}}}"
        )
    });
    grows_linearly("blocks that are named before they begin", |count| {
        let blocks: String = (0..count).map(|at| format!("^b{at}:\ncf.br ^b{}\n", at + 1)).collect();
        format!("func.func @f() {{\ncf.br ^b0\n{blocks}^b{count}:\nreturn\n}}")
    });
}

#[test]
fn constructors() {
    let _alone = alone();
    let declared = |count: usize| {
        let ctors: Vec<String> = (0..count).map(|at| format!("\"C{at}\"(i32)")).collect();
        format!("data.type @T = {}\n", ctors.join(" | "))
    };
    grows_linearly("constructors of a data type", |count| {
        let made = (0..count)
            .map(|at| format!("%c{at} = data.make \"C{at}\"[{at}] (%x) : (i32) -> !data.cell<@T>\n"));
        let made: String = made.collect();
        format!("{}func.func @f(%x: i32) {{\n{made}return\n}}", declared(count))
    });
    grows_linearly("cases of a match", |count| {
        let cases = (0..count)
            .map(|at| format!("case \"C{at}\"[{at}](%v{at}: i32) {{\ndata.yield %v{at} : i32\n}}\n"));
        let cases: String = cases.collect();
        format!(
            "{}func.func @f(%x: !data.cell<@T>) -> i32 {{\n%r = data.match %x : !data.cell<@T> -> i32 {{\n{cases}}}\nreturn %r : i32\n}}",
            declared(count)
        )
    });
}

#[test]
fn attributes() {
    let _alone = alone();
    grows_linearly("attributes", |count| {
        format!("\"a.b\"() {{{}}} : () -> ()", list(count, |at| format!("a{at} = {at}")))
    });
    grows_linearly("attributes of a custom form", |count| {
        format!("module attributes {{{}}} {{\n}}", list(count, |at| format!("d.a{at} = {at}")))
    });
    grows_linearly("dimensions of an affine map", |count| {
        let dims = list(count, |at| format!("d{at}"));
        format!("\"a.b\"() {{a = affine_map<({dims}) -> ({dims})>}} : () -> ()")
    });
}

#[test]
fn more_operands_than_an_operation_can_have_is_a_diagnostic() {
    let _alone = alone();
    let session = Session::new();
    let text = format!("%r:70000 = \"a.b\"() : () -> ({})", list(70_000, |_| "i1".to_owned()));
    let message = read(session.context(), &text).expect_err("too many");
    assert!(message.contains("an operation has at most 65,535 operands and results"), "{message}");
}

#[test]
fn a_switch_says_more_cases_than_fit_into_memory() {
    let _alone = alone();
    let session = Session::new();
    for cases in ["1000000000000", "9223372036854775807x9223372036854775807"] {
        let text = format!(
            "func.func @f(%c: i32) {{\n\"cf.switch\"(%c)[^a, ^a] <{{case_values = dense<1> : vector<{cases}xi32>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}}> : (i32) -> ()\n^a:\nreturn\n}}"
        );
        let (message, bytes) = peak(|| read(session.context(), &text).expect_err("there is one case"));
        assert!(message.contains("error: "), "{message}");
        assert!(bytes < 1 << 20, "{bytes} bytes for {cases} cases");
    }
}

/// Each definition names the one before twice, so that the last one stands for 2^60 times the first.
fn doubled(first: &str, next: impl Fn(usize) -> String, last: &str) -> String {
    let between: String = (0..60).map(next).collect();
    format!("{first}\n{between}{last}")
}

#[test]
fn aliases_of_aliases_stand_for_more_text_than_can_be_printed() {
    let _alone = alone();
    let session = Session::new();
    let ty = "\"a.b\"() : () -> !a60";
    let attr = "\"a.b\"() {a = #a60} : () -> ()";
    for text in [
        doubled("!a0 = i1", |at| format!("!a{} = tuple<!a{at}, !a{at}>\n", at + 1), ty),
        doubled("!a0 = i1", |at| format!("!a{} = (!a{at}) -> !a{at}\n", at + 1), ty),
        doubled("#a0 = 1", |at| format!("#a{} = [#a{at}, #a{at}]\n", at + 1), attr),
        doubled("#a0 = 1", |at| format!("#a{} = {{x = #a{at}, y = #a{at}}}\n", at + 1), attr),
        doubled("#a0 = loc(\"a\")", |at| format!("#a{} = loc(callsite(#a{at} at #a{at}))\n", at + 1), attr),
        format!(
            "#a = \"{}\"\n\"a.b\"() {{a = [{}]}} : () -> ()",
            "x".repeat(100_000),
            list(2_000, |_| "#a".to_owned())
        ),
    ] {
        let (message, bytes) = peak(|| read(session.context(), &text).expect_err("it is too much"));
        assert!(message.contains("bytes of text"), "{message}");
        assert!(bytes < 16 << 20, "{bytes} bytes");
    }
}

#[test]
fn errors_without_number_are_cut_off() {
    let _alone = alone();
    let session = Session::new();
    for text in [
        "foo\n".repeat(20_000),
        "\"a.b\"(\n".repeat(20_000),
        "%a = \"a.b\"() : () -> (i1)\n".repeat(20_000),
        (0..20_000).map(|at| format!("\"a.b\"(%u{at}) : (i1) -> ()\n")).collect(),
        (0..20_000).map(|at| format!("\"a.b\"() ({{ %v{at} = \"a.c\"() : () -> i1 }}) : () -> ()\n\"a.d\"(%v{at}) : (i1) -> ()\n")).collect(),
        format!("\"a.b\"() ({{\n{}}}) : () -> ()", (0..20_000).map(|at| format!("\"a.c\"()[^b{at}] : () -> ()\n")).collect::<String>()),
    ] {
        let sources = SourceMap::new();
        let file = sources.add("test.mlir", text);
        let start = Instant::now();
        let errors = parse_module(session.context(), &sources, file, &OPEN).expect_err("it is wrong");
        assert!(errors.error_count() <= 100, "{}", errors.error_count());
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
}
