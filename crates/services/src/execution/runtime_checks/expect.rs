//! Assertions on indices, slices and products of sizes.

use super::{CreatedChecks, RuntimeChecks};
use crate::RuntimeCondition as Condition;
use crate::RuntimeIndex as Index;
use minoan_ir::{Attr, Value};
use std::fmt::Write;

impl RuntimeChecks<'_, '_> {
    /// Asserts a condition. Each `{}` in the message stands for the next of `numbers`.
    pub fn expect(&mut self, condition: Condition, message: &str, numbers: &[Index]) {
        let condition = match condition {
            Condition::Known(true) => return,
            other => self.condition(other),
        };
        if !self.created.asserted.insert(condition) {
            return;
        }
        let (mut text, mut values) = (String::new(), Vec::new());
        let mut parts = message.split("{}");
        text.push_str(parts.next().unwrap_or_default());
        for (&number, part) in numbers.iter().zip(parts) {
            match number {
                Index::Constant(number) => _ = write!(text, "{number}"),
                _ => {
                    text.push_str("{}");
                    values.push(self.value(number));
                }
            }
            text.push_str(part);
        }
        self.makers.assertions.assert(self.b, condition, &text, &values);
    }

    /// Whether `total` is the product of sizes that are not negative. The product is not computed, since it may overflow.
    pub fn is_product(&mut self, sizes: &[Index], total: Index) -> Condition {
        let mut factor = 1i64;
        let mut unknown = Vec::new();
        for &size in sizes {
            match size {
                Index::Constant(size) => factor = factor.saturating_mul(size),
                size => unknown.push(size),
            }
        }
        let (zero, factor) = (Index::Constant(0), Index::Constant(factor));
        let is_empty = self.equal(total, zero);
        if factor == zero {
            return is_empty;
        }
        let Some(last) = unknown.pop() else { return self.equal(factor, total) };
        let mut remaining = self.div(total, factor);
        let mut divides = self.is_multiple(total, remaining, factor);
        let mut has_zero = Condition::Known(false);
        for &size in &unknown {
            let divisor = self.max(size, Index::Constant(1));
            let quotient = self.div(remaining, divisor);
            let exact = self.is_multiple(remaining, quotient, divisor);
            divides = self.both(divides, exact);
            let is_zero = self.equal(size, zero);
            has_zero = self.either(has_zero, is_zero);
            remaining = quotient;
        }
        let rest = self.equal(last, remaining);
        let product = self.both(divides, rest);
        let empty = self.both(has_zero, is_empty);
        let product = match has_zero {
            Condition::Value(has_zero) => {
                // A size of zero, which no number can be divided by, permits only a total of zero.
                let (empty, product) = (self.condition(empty), self.condition(product));
                Condition::Value(self.makers.index.select(self.b, has_zero, empty, product))
            }
            Condition::Known(_) => product,
        };
        sizes.iter().fold(product, |product, &size| {
            let natural = self.is_natural(size);
            self.both(product, natural)
        })
    }

    fn is_multiple(&mut self, number: Index, quotient: Index, divisor: Index) -> Condition {
        let product = self.mul(quotient, divisor);
        self.equal(product, number)
    }

    /// The condition as a value.
    fn condition(&mut self, condition: Condition) -> Value {
        match condition {
            Condition::Known(known) => self.makers.index.constant(self.b, Attr::bool(known)),
            Condition::Value(value) => value,
        }
    }

    /// Creates assertions for each point of an index space, in loops.
    pub fn for_each(
        &mut self,
        extents: &[Index],
        body: &mut dyn FnMut(&mut RuntimeChecks<'_, '_>, &[Index]),
    ) {
        self.nest(extents, &mut Vec::new(), body);
    }

    fn nest(
        &mut self,
        extents: &[Index],
        point: &mut Vec<Index>,
        body: &mut dyn FnMut(&mut RuntimeChecks<'_, '_>, &[Index]),
    ) {
        let Some((&extent, rest)) = extents.split_first() else { return body(self, point) };
        let range = [Index::Constant(0), extent, Index::Constant(1)].map(|bound| self.value(bound));
        let makers = self.makers;
        makers.loops.repeat(self.b, range, &[], &mut |b, index, _| {
            point.push(Index::Value(index));
            RuntimeChecks::new(b, makers, &mut CreatedChecks::default()).nest(rest, point, body);
            point.pop();
            Vec::new()
        });
    }

    /// Asserts that an index is in bounds.
    pub fn expect_inside(&mut self, index: Index, extent: Index) {
        let inside = self.is_inside(index, extent);
        self.expect(inside, "index {} is out of bounds for extent {}", &[index, extent]);
    }

    /// Asserts that a slice is in bounds along one dimension: `size` elements from `offset` on, in steps of `stride`. A slice
    /// without elements may begin anywhere.
    pub fn expect_slice(&mut self, [offset, size, stride]: [Index; 3], extent: Index) {
        const MESSAGE: &str = "index {} is out of bounds for extent {}";
        const ONE: Index = Index::Constant(1);
        self.expect_size(size, "the size {} of a slice is negative");
        let empty = self.equal(size, Index::Constant(0));
        let first = if stride == ONE { self.is_natural(offset) } else { self.is_inside(offset, extent) };
        let first = self.either(empty, first);
        self.expect(first, MESSAGE, &[offset, extent]);
        let fitting = match stride {
            Index::Constant(0) => return,
            ONE => self.sub(extent, offset),
            // The number of elements that fit is found by division, since the product of steps and stride may overflow.
            _ => {
                let last = self.sub(extent, ONE);
                let after = self.sub(last, offset);
                let forward = self.less(Index::Constant(0), stride);
                let available = self.choose(forward, after, offset);
                let backward = self.sub(Index::Constant(0), stride);
                let step = self.max(stride, backward);
                let still = self.equal(stride, Index::Constant(0));
                let step = self.choose(still, ONE, step);
                let steps = self.div(available, step);
                let moving = self.add(steps, ONE);
                self.choose(still, size, moving)
            }
        };
        let fits = self.at_most(size, fitting);
        let fits = if offset == Index::Constant(0) { fits } else { self.either(empty, fits) };
        if fits == Condition::Known(true) {
            return;
        }
        let beyond = match stride {
            ONE => self.max(offset, extent),
            _ => {
                let length = self.mul(fitting, stride);
                self.add(offset, length)
            }
        };
        self.expect(fits, MESSAGE, &[beyond, extent]);
    }

    /// Asserts that a size is not negative; the message has one `{}`, for the size.
    pub fn expect_size(&mut self, size: Index, message: &str) {
        let natural = self.is_natural(size);
        self.expect(natural, message, &[size]);
    }

    /// Whether a number is not negative.
    fn is_natural(&mut self, number: Index) -> Condition {
        if let Index::Extent(..) = number {
            return Condition::Known(true);
        }
        self.less(Index::Constant(-1), number)
    }

    fn choose(&mut self, condition: Condition, yes: Index, no: Index) -> Index {
        match condition {
            Condition::Known(true) => yes,
            Condition::Known(false) => no,
            Condition::Value(condition) => {
                let (yes, no) = (self.value(yes), self.value(no));
                Index::Value(self.makers.index.select(self.b, condition, yes, no))
            }
        }
    }
}
