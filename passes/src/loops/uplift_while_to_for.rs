//! `uplift-while-to-for`: converts loops that are controlled by a condition to loops with an induction variable.
//!
//! A loop that compares a number with a bound, and adds the same to the number in each iteration, has a known number of
//! iterations ([`LoopLike::uplift`](minoan_services::LoopLike::uplift)). Tail-recursive counters of functional programs reach
//! this pass in that form. `raise-loops`, derivatives and LLVM optimize loops with a known number of iterations better.
//! Attributes of a loop are kept. The time is linear in the size of the body for each level of nested loops.

use minoan_diag::Diagnostics;
use minoan_ir::Body;
use minoan_pass::{Pass, PassRun, requires};
use minoan_services::{LayoutSpec, LoopLike};

/// Converts loops with a condition to loops with an induction variable.
pub struct UpliftWhileToFor;

impl Pass for UpliftWhileToFor {
    fn name(&self) -> &'static str {
        "uplift-while-to-for"
    }

    fn description(&self) -> &'static str {
        "convert loops that count up or down to a bound to loops with an induction variable"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-uplifted", "Number of loops converted")]
    }

    requires!(LoopLike);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        if LayoutSpec::of(&ctx, run.op().attrs).index_bits() != 64 {
            return Ok(());
        }
        let uplifted = run.each_body(uplift);
        run.count("num-uplifted", uplifted.into_iter().sum());
        Ok(())
    }
}

/// Converts the loops of a body, inner ones first; returns their number.
fn uplift(body: &mut Body) -> u64 {
    let ctx = body.context().clone();
    let Some(loops) = ctx.service_table::<dyn LoopLike>() else { return 0 };
    let mut count = 0;
    for op in body.walk().into_iter().rev() {
        if let Some(service) = body.try_op(op).ok().and_then(|view| loops.get(view.kind())) {
            count += u64::from(service.uplift(body, op).is_some());
        }
    }
    count
}
