//! `order-products`: chooses the cheaper order of chained products.

use crate::dialect::MatMul;
use crate::shapes::extents;
use minoan::diag::Diagnostics;
use minoan::ir::{Body, DYNAMIC, Value};
use minoan::pass::{Pass, PassRun};
use minoan::rewrite::{GreedyConfig, GreedyDriver, PatternFilter, PatternSet, pattern};

// ANCHOR: pass
/// Rewrites `(a @ b) @ c` to `a @ (b @ c)` where the extents are static and fewer numbers are multiplied.
#[derive(Default)]
pub struct OrderProducts;

fn patterns() -> PatternSet {
    let mut patterns = PatternSet::new();
    patterns.add(pattern!("order-products":
        MatMul(inner @ MatMul(a, b), c) if body.uses(inner.result(body)).count() == 1 && is_cheaper(body, a, b, c)
        => MatMul(a, MatMul(b, c))));
    patterns
}

/// Whether `a @ (b @ c)` multiplies fewer numbers than `(a @ b) @ c`.
fn is_cheaper(body: &Body, a: Value, b: Value, c: Value) -> bool {
    let [[m, k], [_, n], [_, p]] = [a, b, c].map(|value| extents(body.context(), body.ty(value)));
    let costs = |first: [i64; 3], then: [i64; 3]| {
        let product = |of: [i64; 3]| of.iter().map(|&extent| i128::from(extent)).product::<i128>();
        product(first) + product(then)
    };
    ![m, k, n, p].contains(&DYNAMIC) && costs([k, n, p], [m, k, p]) < costs([m, k, n], [m, n, p])
}

impl Pass for OrderProducts {
    fn name(&self) -> &'static str {
        "order-products"
    }

    fn description(&self) -> &'static str {
        "choose the cheaper order of chained products of matrices"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-reordered", "Number of products whose order has changed")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let patterns = patterns().freeze(&run.context(), &PatternFilter::default())?;
        let applied = run.each_body(|body| {
            let mut driver = GreedyDriver::new(&patterns, GreedyConfig::default());
            driver.run(body);
            driver.statistics().patterns.iter().map(|pattern| pattern.applied).sum::<u64>()
        });
        run.count("num-reordered", applied.into_iter().sum());
        Ok(())
    }
}
// ANCHOR_END: pass
