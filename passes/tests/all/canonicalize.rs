//! Canonicalization preserves the results of random programs and reports nontermination.

use crate::common::{apply, parse, print};
use minoan_diag::Place;
use minoan_interp::Interpreter;
use minoan_passes::canonicalize::{Canonicalize, CanonicalizeOptions, Canonicalizer};
use minoan_services::Datum;
use proptest::prelude::*;
use std::fmt::Write;

const TYPES: [&str; 5] = ["i1", "i8", "i64", "f32", "f64"];
/// Few of these can trap, since a program that traps tests nothing.
const INTEGER: [&str; 27] = [
    "addi",
    "subi",
    "muli",
    "andi",
    "ori",
    "xori",
    "maxsi",
    "minsi",
    "maxui",
    "minui",
    "addi",
    "subi",
    "addi",
    "subi",
    "muli",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrui",
    "shrsi",
    "divsi",
    "divui",
    "remui",
    "subi",
    "addi",
    "floordivsi",
];
const FLOAT: [&str; 8] = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"];
const PREDICATES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
const FLOAT_PREDICATES: [&str; 7] = ["oeq", "olt", "oge", "one", "ueq", "uno", "une"];

/// The choice of one operation: its form, two operands, and a detail.
type Choice = (u8, u8, u8, u8);

/// Generates programs; the values of each type in scope, most recent last.
struct Writer {
    text: String,
    values: [Vec<String>; 5],
    count: usize,
}

impl Writer {
    fn new() -> Writer {
        let args = TYPES.map(|ty| vec![format!("%a_{ty}"), format!("%b_{ty}")]);
        Writer { text: String::new(), values: args, count: 0 }
    }

    fn value(&self, ty: usize, choice: u8) -> String {
        let values = &self.values[ty];
        // Recent values, so that operations combine.
        values[values.len() - 1 - usize::from(choice) % values.len().min(6)].clone()
    }

    fn define(&mut self, ty: usize, text: &str) {
        let name = format!("%v{}", self.count);
        self.count += 1;
        writeln!(self.text, "  {name} = {text}").expect("a string");
        self.values[ty].push(name);
    }

    fn op(&mut self, (form, a, b, detail): Choice, nested: &[Choice]) {
        let integer = usize::from(a ^ b) % 3;
        let float = 3 + usize::from(a ^ b) % 2;
        let at = usize::from(detail);
        match form % 12 {
            0 | 1 => {
                let values: &[i64] = if integer == 0 { &[0, -1] } else { &[0, 1, -1, 2, 7, 100, -128, 127] };
                let value = values[at % values.len()];
                let text = match (integer, value) {
                    (0, 0) => "arith.constant false".to_owned(),
                    (0, _) => "arith.constant true".to_owned(),
                    _ => format!("arith.constant {value} : {}", TYPES[integer]),
                };
                self.define(integer, &text);
            }
            2 => {
                let value = ["0.0", "-0.0", "1.0", "-2.5", "1.0e30"][at % 5];
                self.define(float, &format!("arith.constant {value} : {}", TYPES[float]));
            }
            3..=5 => {
                let (x, y) = (self.value(integer, a), self.value(integer, b));
                let name = INTEGER[at % INTEGER.len()];
                self.define(integer, &format!("arith.{name} {x}, {y} : {}", TYPES[integer]));
            }
            6 => {
                let (x, y) = (self.value(float, a), self.value(float, b));
                let name = FLOAT[at % FLOAT.len()];
                self.define(float, &format!("arith.{name} {x}, {y} : {}", TYPES[float]));
            }
            7 => {
                let (x, y) = (self.value(integer, a), self.value(integer, b));
                let predicate = PREDICATES[at % PREDICATES.len()];
                self.define(0, &format!("arith.cmpi {predicate}, {x}, {y} : {}", TYPES[integer]));
            }
            8 => {
                let (x, y) = (self.value(float, a), self.value(float, b));
                let predicate = FLOAT_PREDICATES[at % FLOAT_PREDICATES.len()];
                self.define(0, &format!("arith.cmpf {predicate}, {x}, {y} : {}", TYPES[float]));
            }
            9 => self.cast(a, at),
            10 => {
                let ty = at % 5;
                let (c, x, y) = (self.value(0, b), self.value(ty, a), self.value(ty, b));
                self.define(ty, &format!("arith.select {c}, {x}, {y} : {}", TYPES[ty]));
            }
            _ => self.region(a, b, at, nested),
        }
    }

    fn cast(&mut self, a: u8, at: usize) {
        let casts = [
            ("extsi", 0, 1),
            ("extui", 0, 2),
            ("extsi", 1, 2),
            ("extui", 1, 2),
            ("trunci", 2, 1),
            ("trunci", 1, 0),
            ("trunci", 2, 0),
            ("sitofp", 1, 3),
            ("uitofp", 2, 4),
            ("extf", 3, 4),
            ("truncf", 4, 3),
            // Not the reverse: the bits of a computed NaN depend on the machine.
            ("bitcast", 2, 4),
        ];
        let (name, from, to) = casts[at % casts.len()];
        let x = self.value(from, a);
        self.define(to, &format!("arith.{name} {x} : {} to {}", TYPES[from], TYPES[to]));
    }

    /// Generates an `scf.if`, or an `scf.for` with a small trip count, around some operations.
    fn region(&mut self, a: u8, b: u8, at: usize, nested: &[Choice]) {
        let ty = at % 5;
        let (condition, init, name) = (self.value(0, a), self.value(ty, b), format!("%r{}", self.count));
        let kind = TYPES[ty];
        self.count += 1;
        let before = self.values.clone();
        let inside = |writer: &mut Writer, nested: &[Choice], with: Option<String>| {
            writer.values = before.clone();
            writer.values[ty].extend(with);
            nested.iter().for_each(|&choice| writer.op(choice, &[]));
            let value = writer.value(ty, a);
            writeln!(writer.text, "  scf.yield {value} : {kind}").expect("a string");
        };
        let (first, second) = nested.split_at(nested.len() / 2);
        if at.is_multiple_of(3) {
            let (lower, upper) = (at % 2, at / 4 % 4);
            writeln!(self.text, "  %l{name1} = arith.constant {lower} : index\n  %u{name1} = arith.constant {upper} : index\n  %s{name1} = arith.constant 1 : index", name1 = &name[1..]).expect("a string");
            writeln!(self.text, "  {name} = scf.for %i{n} = %l{n} to %u{n} step %s{n} iter_args(%c{n} = {init}) -> ({kind}) {{", n = &name[1..]).expect("a string");
            inside(self, nested, Some(format!("%c{}", &name[1..])));
        } else {
            writeln!(self.text, "  {name} = scf.if {condition} -> ({kind}) {{").expect("a string");
            inside(self, first, None);
            writeln!(self.text, "  }} else {{").expect("a string");
            inside(self, second, None);
        }
        writeln!(self.text, "  }}").expect("a string");
        self.values = before;
        self.values[ty].push(name);
    }

    /// Completes a function with two arguments of each type; blocks are connected by conditional branches.
    fn finish(self, blocks: &[Choice]) -> String {
        let args = TYPES.map(|ty| format!("%a_{ty}: {ty}, %b_{ty}: {ty}")).join(", ");
        let results = TYPES.join(", ");
        let mut text = format!("func.func @main({args}) -> ({results}) {{\n{}", self.text);
        let last = |ty: usize| self.value(ty, 0);
        let mut sum = last(2);
        for (at, &(form, a, b, _)) in blocks.iter().enumerate() {
            let (c, x, y) = (self.value(0, a), self.value(2, b), self.value(2, form));
            let (yes, no) = if form.is_multiple_of(3) { (at, at) } else { (at, at + 1000) };
            let more = if no == at { format!("({y} : i64)") } else { String::new() };
            writeln!(text, "  cf.cond_br {c}, ^bb{yes}({x} : i64), ^bb{no}{more}").expect("a string");
            if no != at {
                writeln!(text, "^bb{no}:\n  cf.br ^bb{at}({y} : i64)").expect("a string");
            }
            writeln!(text, "^bb{at}(%p{at}: i64):\n  %s{at} = arith.addi %p{at}, {sum} : i64")
                .expect("a string");
            sum = format!("%s{at}");
        }
        let values = [last(0), last(1), sum, last(3), last(4)].join(", ");
        text + &format!("  return {values} : {results}\n}}\n")
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// A program that does not trap gives the same results afterwards, or a value in place of poison; canonical form does not
    /// change.
    #[test]
    fn programs_keep_their_results(
        choices in prop::collection::vec(any::<Choice>(), 1..60),
        nested in prop::collection::vec(any::<Choice>(), 0..8),
        blocks in prop::collection::vec(any::<Choice>(), 0..4),
        ints in any::<(bool, bool, i8, i8, i64, i64)>(),
        floats in any::<(f32, f32, f64, f64)>(),
    ) {
        let mut writer = Writer::new();
        choices.iter().for_each(|&choice| writer.op(choice, &nested));
        let text = writer.finish(&blocks);
        let before = parse(&text);
        let after = apply(parse(&text), vec![Box::new(Canonicalize::default())]);
        let args = [
            Datum::Int(ints.0.into()), Datum::Int(ints.1.into()), Datum::Int(ints.2.into()),
            Datum::Int(ints.3.into()), Datum::Int(ints.4), Datum::Int(ints.5),
            Datum::F32(floats.0), Datum::F32(floats.1), Datum::F64(floats.2), Datum::F64(floats.3),
        ];
        if let Ok(expected) = Interpreter::new(&before).call("main", &args) {
            let found = Interpreter::new(&after).call("main", &args);
            let agree = found.as_ref().is_ok_and(|found| {
                found.len() == expected.len() && found.iter().zip(&expected).all(|(a, b)| a.refines(b))
            });
            prop_assert!(agree, "{found:?} is not {expected:?}\n{text}\n{}", print(&after));
        }
        let once = print(&after);
        let twice = apply(after, vec![Box::new(Canonicalize::default())]);
        prop_assert_eq!(once, print(&twice));
    }
}

#[test]
fn unknown_pattern_suggests_a_name() {
    let module = parse("func.func @main() { return }");
    let disable_patterns = vec!["arith-add-add-constnat".into()];
    let options = CanonicalizeOptions { disable_patterns, ..CanonicalizeOptions::default() };
    let Err(errors) = Canonicalizer::new(module.context(), options) else { panic!("no such pattern") };
    let text = format!("{errors:?}");
    assert!(text.contains("'arith-add-add-constnat' does not refer to a pattern"), "{text}");
    assert!(text.contains("did you mean 'arith-add-add-constant'?"), "{text}");
}

#[test]
fn missing_convergence_is_an_error() {
    let text = "func.func @main(%a: i32) -> i32 {
      %c = arith.constant 1 : i32
      %0 = arith.addi %a, %c : i32
      %1 = arith.addi %0, %c : i32
      return %1 : i32
    }";
    let run = |max_iterations, test_convergence| {
        let options =
            CanonicalizeOptions { max_iterations, test_convergence, ..CanonicalizeOptions::default() };
        let mut module = parse(text);
        let canonicalizer = Canonicalizer::new(module.context(), options).expect("the options are right");
        let outcome = canonicalizer.driver().run_nested(module.body_mut());
        let converged = outcome.converged;
        canonicalizer.checked(outcome, Place::default()).map(|_| converged)
    };
    assert_eq!(run(1, false).ok(), Some(false));
    assert!(run(1, true).is_err());
    assert_eq!(run(10, true).ok(), Some(true));
}
