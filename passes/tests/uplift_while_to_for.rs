//! Loops with an induction variable compute what the loops with a condition did.

use minoan_interp::Interpreter;
use minoan_passes::uplift_while_to_for::UpliftWhileToFor;
use minoan_services::Datum;
use proptest::prelude::*;

mod common;

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
}

impl Loop {
    fn text(&self) -> String {
        let Self { predicate, step, factor, offset, .. } = self;
        let start = if self.start.1 { "%start" } else { "%s" };
        let bound = if self.bound.1 { "%bound" } else { "%b" };
        let operands = if self.swapped { format!("{bound}, %x") } else { format!("%x, {bound}") };
        let (more, ty, arg) = if self.forwards { (", %x", ", i64", ", %y: i64") } else { ("", "", "") };
        let term = if self.forwards { "%y" } else { "%i" };
        let last = if self.forwards { "%r#2" } else { "%r#0" };
        format!(
            "func.func @main(%start: i64, %bound: i64) -> (i64, i64, i64) {{
  %s = arith.constant {} : i64
  %b = arith.constant {} : i64
  %step = arith.constant {step} : i64
  %factor = arith.constant {factor} : i64
  %offset = arith.constant {offset} : i64
  %seven = arith.constant 7 : i64
  %r:{} = scf.while (%i = {start}, %a = %seven) : (i64, i64) -> (i64, i64{ty}) {{
    %f = arith.muli %i, %factor : i64
    %x = arith.addi %f, %offset : i64
    %more = arith.cmpi {predicate}, {operands} : i64
    scf.condition(%more) %i, %a{more} : i64, i64{ty}
  }} do {{
  ^bb0(%i: i64, %a: i64{arg}):
    %p = arith.muli %a, %seven : i64
    %q = arith.addi %p, {term} : i64
    %j = arith.addi %i, %step : i64
    scf.yield %j, %q : i64, i64
  }}
  return %r#0, %r#1, {last} : i64, i64, i64
}}",
            self.start.0,
            self.bound.0,
            2 + usize::from(self.forwards)
        )
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
    );
    loops.prop_map(|(predicate, swapped, step, factor, offset, start, bound, forwards)| Loop {
        predicate,
        swapped,
        step,
        factor,
        offset,
        start,
        bound,
        forwards,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    /// A loop that ends gives the same results; one that does not end stops with a message or does not end.
    #[test]
    fn uplifted_loops_do_the_same(of in loops()) {
        let text = of.text();
        let after = common::apply(common::parse(&text), vec![Box::new(UpliftWhileToFor)]);
        let args = [Datum::Int(of.start.0), Datum::Int(of.bound.0)];
        let run = |module: &minoan_ir::Module| {
            Interpreter::new(module).with_max_steps(600).call("main", &args)
        };
        let (expected, found) = (run(&common::parse(&text)), run(&after));
        match (expected, found) {
            (Ok(expected), Ok(found)) => {
                let same = expected.iter().zip(&found).all(|(a, b)| a.same(b));
                prop_assert!(same, "{found:?} is not {expected:?}\n{text}\n{}", common::print(&after));
            }
            (Err(_), Err(_)) => {}
            (expected, found) => {
                prop_assert!(false, "{found:?} is not {expected:?}\n{text}\n{}", common::print(&after));
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
    };
    let usual = [
        plain.clone(),
        Loop { start: (0, true), ..plain.clone() },
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
