//! Lowering of losses.

use super::broadcast::combine;
use super::index::index_at;
use super::pointwise::each;
use super::reduce::{ReducedDims, count_as, sum};
use super::scalar;
use super::site::Site;
use super::tensors::{extent, extents, generate, inside};
use super::{Lowered, Rule, extract};
use minoan_arith as arith;
use minoan_data::assert_values;
use minoan_ir::Builder;
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.cross_entropy" => |site, b| site.cross_entropy(b, true),
        "nn.cross_entropy_with_logits" => |site, b| site.cross_entropy(b, false),
        "nn.nll_loss" => |site, b| site.nll_loss(b),
        _ => return None,
    })
}

impl Site {
    /// The sum of the products of targets and logarithms, negated and divided by the size of the batch.
    fn cross_entropy(&self, b: &mut Builder<'_>, logarithms: bool) -> Lowered {
        let (data, targets, dtype) = (self.arg(0), self.arg(1), self.float_dtype()?);
        let batch = extent(b, data, 0);
        (0..2).for_each(|axis| _ = self.expect_same(b, (0, axis), (1, axis)));
        let products = combine(b, &[data, targets], dtype, |b, elements| {
            let value = if logarithms { math::log(b, elements[0]) } else { elements[0] };
            arith::mulf(b, value, elements[1])
        });
        let total = sum(b, &products, &[true, true], ReducedDims::Drop);
        let count = count_as(b, batch, dtype);
        Ok(vec![each(b, &total, dtype, |b, total| {
            let negative = arith::negf(b, total);
            arith::divf(b, negative, count)
        })])
    }

    /// The negated and weighted prediction for each target that is not ignored; their sum, or the sum divided
    /// by the sum of the weights.
    fn nll_loss(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, targets, weights, dtype) = (self.arg(0), self.arg(1), self.arg(2), self.float_dtype()?);
        // The axis of classes is 1, or 0 for a single prediction.
        let class = 1.min(data.rank() - 1);
        let (classes, wanted) = (extent(b, data, class), extents(b, targets));
        for axis in 0..targets.rank() {
            self.expect_same(b, (0, axis + usize::from(axis >= class)), (1, axis));
        }
        let own = extent(b, weights, 0);
        own.expect(b, classes, || "nn.nll_loss: there is not one weight for each class".to_owned());
        let ignored = self.attrs.int("ignore_index").unwrap_or(-100);
        let zero = scalar::zero(b, dtype);
        let each_of = |b: &mut Builder<'_>, loss: bool| {
            generate(b, &wanted, dtype, |b, at| {
                let target = index_at(b, targets, at);
                let skip = arith::constant_index(b, ignored);
                let counts = arith::cmpi(b, arith::CmpIPredicate::Ne, target, skip);
                let exists = inside(b, target, classes);
                let skipped = scalar::not(b, counts);
                let fits = arith::ori(b, exists, skipped);
                let count = classes.value(b);
                assert_values(b, fits, "nn.nll_loss: target {} is not one of {} classes", &[target, count]);
                let first = arith::constant_index(b, 0);
                let target = arith::select(b, exists, target, first);
                let weight = extract(b, weights.value, &[target]);
                let value = if loss {
                    let mut source = at.to_vec();
                    source.insert(class, target);
                    let prediction = extract(b, data.value, &source);
                    let negative = arith::negf(b, prediction);
                    arith::mulf(b, negative, weight)
                } else {
                    weight
                };
                arith::select(b, counts, value, zero)
            })
        };
        let losses = each_of(b, true);
        let how = self.attrs.text("reduction").unwrap_or("mean");
        if how == "none" {
            return Ok(vec![losses]);
        }
        let all = vec![true; targets.rank()];
        let total = sum(b, &losses, &all, ReducedDims::Drop);
        if how == "sum" {
            return Ok(vec![total]);
        }
        let used = each_of(b, false);
        let used = sum(b, &used, &all, ReducedDims::Drop);
        Ok(vec![combine(b, &[&total, &used], dtype, |b, sums| arith::divf(b, sums[0], sums[1]))])
    }
}
