//! Evaluation of parallel loops.

use minoan_services::{Datum, Trap};
use minoan_testing::{context, run_one};

fn run(text: &str, args: &[Datum]) -> Result<Datum, Trap> {
    let ctx = context(|registry| {
        registry
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_arith::ArithDialect)
            .add(minoan_scf::ScfDialect);
    });
    run_one(&ctx, text, args)
}

const SUM: &str = "func.func @f(%n: index, %s: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %n) step (%c1, %s) init (%c1) -> index {
    %p = arith.muli %i, %j : index
    scf.reduce(%p : index) {
    ^bb0(%x: index, %y: index):
      %t = arith.addi %x, %y : index
      scf.reduce.return %t : index
    }
  }
  return %r : index
}";

#[test]
fn a_parallel_loop_visits_the_product_of_its_ranges() {
    // The sum of i * j over 0 <= i < 4 and j in {1, 3}, plus the initial 1.
    assert_eq!(run(SUM, &[Datum::Int(4), Datum::Int(2)]), Ok(Datum::Int(25)));
}

#[test]
fn an_empty_parallel_loop_returns_its_initial_values() {
    assert_eq!(run(SUM, &[Datum::Int(0), Datum::Int(2)]), Ok(Datum::Int(1)));
    assert_eq!(run(SUM, &[Datum::Int(1), Datum::Int(2)]), Ok(Datum::Int(1)));
}

#[test]
fn a_step_of_zero_is_reported() {
    let trap = run(SUM, &[Datum::Int(4), Datum::Int(0)]).expect_err("it does not advance");
    assert!(trap.message.contains("the step of a loop must be positive, but is 0"), "{trap}");
}
