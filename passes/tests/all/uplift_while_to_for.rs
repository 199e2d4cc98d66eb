//! Loops with an induction variable compute what the loops with a condition did.

use crate::common;
use minoan_interp::Interpreter;
use minoan_passes::uplift_while_to_for::UpliftWhileToFor;
use minoan_services::Datum;
use proptest::prelude::*;

/// A loop that counts, in a form that is never or often a counted loop, by what the condition compares.
#[derive(Clone, Debug)]
struct Loop {
    predicate: &'static str,
    swapped: bool,
    step: i64,
    factor: i64,
    offset: i64,
    /// Constant, or an argument of the function.
    start: (i64, bool),
    bound: (i64, bool),
    /// Whether the condition's region forwards the compared number as well.
    forwards: bool,
    /// The bits of the numbers, which the loop converts to indices.
    width: u32,
}

impl Loop {
    fn text(&self) -> String {
        let Self { predicate, step, factor, offset, .. } = self;
        let start = if self.start.1 { "%start" } else { "%s" };
        let bound = if self.bound.1 { "%bound" } else { "%b" };
        let operands = if self.swapped { format!("{bound}, %x") } else { format!("%x, {bound}") };
        let ty = format!("i{}", self.width);
        let results = 2 + usize::from(self.forwards);
        let (more, more_ty, arg) = match self.forwards {
            true => (", %x", format!(", {ty}"), format!(", %y: {ty}")),
            false => ("", String::new(), String::new()),
        };
        let term = if self.forwards { "%y" } else { "%i" };
        let last = if self.forwards { "%r#2" } else { "%r#0" };
        format!(
            "func.func @main(%start: {ty}, %bound: {ty}) -> ({ty}, index, {ty}) {{
  %s = arith.constant {} : {ty}
  %b = arith.constant {} : {ty}
  %step = arith.constant {step} : {ty}
  %factor = arith.constant {factor} : {ty}
  %offset = arith.constant {offset} : {ty}
  %seven = arith.constant 7 : index
  %r:{results} = scf.while (%i = {start}, %a = %seven) : ({ty}, index) -> ({ty}, index{more_ty}) {{
    %f = arith.muli %i, %factor : {ty}
    %x = arith.addi %f, %offset : {ty}
    %more = arith.cmpi {predicate}, {operands} : {ty}
    scf.condition(%more) %i, %a{more} : {ty}, index{more_ty}
  }} do {{
  ^bb0(%i: {ty}, %a: index{arg}):
    %p = arith.muli %a, %seven : index
    %k = arith.index_cast %i : {ty} to index
    %q = arith.addi %p, %k : index
    %y7 = arith.muli %q, %seven : index
    %w = arith.index_cast {term} : {ty} to index
    %z = arith.addi %y7, %w : index
    %j = arith.addi %i, %step : {ty}
    scf.yield %j, %z : {ty}, index
  }}
  return %r#0, %r#1, {last} : {ty}, index, {ty}
}}",
            self.number(self.start.0),
            self.number(self.bound.0),
        )
    }

    /// The number of the type that is as far from the end of its range.
    fn number(&self, number: i64) -> i64 {
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        match self.width {
            32 if number < least => least + (number - i64::MIN),
            32 if number > most => most - (i64::MAX - number),
            _ => number,
        }
    }
}

fn loops() -> impl Strategy<Value = Loop> {
    let number = || prop_oneof![4 => -3..9i64, 1 => prop::sample::select(vec![i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX])];
    let predicates = vec!["slt", "sle", "sgt", "sge", "ne", "eq", "ult", "uge"];
    let steps = prop::sample::select(vec![1i64, 1, 1, -1, -1, 2, -3]);
    let factors = prop::sample::select(vec![1i64, 1, 1, 2, -1, 0]);
    let loops = (
        prop::sample::select(predicates),
        any::<bool>(),
        steps,
        factors,
        -2..3i64,
        (number(), any::<bool>()),
        (number(), any::<bool>()),
        any::<bool>(),
        prop::sample::select(vec![32, 64]),
    );
    loops.prop_map(|(predicate, swapped, step, factor, offset, start, bound, forwards, width)| Loop {
        predicate,
        swapped,
        step,
        factor,
        offset,
        start,
        bound,
        forwards,
        width,
    })
}

/// Runs a loop before and after the pass, on arguments; returns what differs.
fn difference(of: &Loop, args: &[[i64; 2]]) -> Option<String> {
    let text = of.text();
    let before = common::parse(&text);
    let after = common::apply(common::parse(&text), vec![Box::new(UpliftWhileToFor)]);
    args.iter().find_map(|args| {
        let data = args.map(|number| Datum::Int(of.number(number)));
        let run =
            |module: &minoan_ir::Module| Interpreter::new(module).with_max_steps(600).call("main", &data);
        let same = match (run(&before), run(&after)) {
            (Ok(expected), Ok(found)) => expected.iter().zip(&found).all(|(a, b)| a.same(b)),
            (expected, found) => expected.is_err() && found.is_err(),
        };
        (!same).then(|| format!("differs for {args:?}\n{text}\n{}", common::print(&after)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// A loop that ends gives the same results; one that does not end stops with a message or does not end.
    #[test]
    fn uplifted_loops_do_the_same(of in loops()) {
        let found = difference(&of, &[[of.start.0, of.bound.0]]);
        prop_assert!(found.is_none(), "{}", found.unwrap_or_default());
    }
}

#[test]
fn loops_at_the_ends_of_the_number_range_do_the_same() {
    let numbers = [i64::MIN, i64::MIN + 1, -1, 0, 1, 3, i64::MAX - 1, i64::MAX];
    let args: Vec<[i64; 2]> = numbers.iter().flat_map(|&start| numbers.map(|bound| [start, bound])).collect();
    for predicate in ["slt", "sle", "sgt", "sge"] {
        for (step, offset, width) in [1, -1]
            .into_iter()
            .flat_map(|step| [-1, 0, 1].map(|offset| (step, offset, 32)))
            .chain([(1, 1, 64), (1, -1, 64), (-1, 0, 64)])
        {
            for fixed in [(0, false), (1, false), (0, true)] {
                let bound = if step < 0 { fixed } else { (0, true) };
                let start = if step < 0 { (0, true) } else { fixed };
                let of = Loop {
                    predicate,
                    swapped: false,
                    step,
                    factor: 1,
                    offset,
                    start,
                    bound,
                    forwards: true,
                    width,
                };
                if let Some(found) = difference(&of, &args) {
                    panic!("{found}");
                }
            }
        }
    }
}

#[test]
fn usual_loops_are_uplifted() {
    let plain = Loop {
        predicate: "slt",
        swapped: false,
        step: 1,
        factor: 1,
        offset: 0,
        start: (0, false),
        bound: (5, true),
        forwards: false,
        width: 64,
    };
    let usual = [
        plain.clone(),
        Loop { start: (0, true), ..plain.clone() },
        Loop { width: 32, ..plain.clone() },
        Loop { offset: 1, forwards: true, ..plain.clone() },
        Loop { predicate: "sgt", swapped: true, ..plain.clone() },
        Loop { predicate: "sle", start: (1, false), ..plain.clone() },
        Loop { predicate: "sgt", step: -1, start: (5, true), bound: (0, false), ..plain.clone() },
        Loop { predicate: "ne", factor: 2, ..plain.clone() },
        Loop { predicate: "ne", step: -1, start: (5, true), bound: (0, false), ..plain },
    ];
    for of in usual {
        let after = common::apply(common::parse(&of.text()), vec![Box::new(UpliftWhileToFor)]);
        let text = common::print(&after);
        assert!(text.contains("scf.for") && !text.contains("scf.while"), "{of:?}\n{text}");
    }
}
