//! The interior of padded tensors: tiles whose windows do not cross an edge are computed without masks.
//!
//! Where a padding is not computed, each read of it selects between the tensor and the padding value. The loops of a reduction
//! are then emitted twice, and a condition before them chooses: if all elements that they read are inside of the tensors, the
//! first copy is executed, which reads them without a selection.

use super::edges::{and, extent_of, is_inside};
use super::{Emitter, Unsupported};
use crate::rules::Step;
use minoan_ir::{Builder, Type, Value};
use std::cell::RefCell;

impl Emitter<'_> {
    /// Emits the loop in which the reductions `begun` are completed; twice if windows of paddings may be in the interior.
    pub(super) fn reducing(
        &mut self,
        b: &mut Builder<'_>,
        step: &Step,
        begun: &[usize],
        path: &mut Vec<usize>,
    ) -> Result<(), Unsupported> {
        let Some(is_interior) = self.interior(b, begun) else { return self.range(b, step, path) };
        let (loops, initial) = (self.makers.loops, self.accumulated(begun));
        let types: Vec<Type> = initial.iter().map(|&value| b.ty(value)).collect();
        // Both branches need the emitter; they run one after the other.
        let state = RefCell::new((&mut *self, path, Ok(())));
        let branch = |b: &mut Builder<'_>, interior: &[usize]| {
            let (emitter, path, result) = &mut *state.borrow_mut();
            if result.is_ok() {
                emitter.accumulate(begun, &initial);
                let outer = emitter.interior.len();
                emitter.interior.extend(interior);
                *result = emitter.range(b, step, path);
                emitter.interior.truncate(outer);
            }
            match result {
                Ok(()) => emitter.accumulated(begun),
                Err(_) => initial.clone(),
            }
        };
        let finals = loops.choose(b, is_interior, &types, &mut |b| branch(b, begun), &mut |b| branch(b, &[]));
        let (emitter, _, result) = state.into_inner();
        emitter.accumulate(begun, &finals);
        result
    }

    /// The values of the accumulators of reductions in progress.
    fn accumulated(&self, statements: &[usize]) -> Vec<Value> {
        statements.iter().flat_map(|statement| self.accumulators[statement].values.clone()).collect()
    }

    /// Sets the values of the accumulators of reductions in progress.
    fn accumulate(&mut self, statements: &[usize], mut values: &[Value]) {
        for statement in statements {
            let register = self.accumulators.get_mut(statement).expect("the reduction is in progress");
            let (own, others) = values.split_at(register.values.len());
            register.values = own.to_vec();
            values = others;
        }
    }

    /// Whether all elements that reductions read through paddings in the following loops are inside of the padded tensors; `None`
    /// if there are no such reads, or if the range of their indices is unknown.
    fn interior(&mut self, b: &mut Builder<'_>, statements: &[usize]) -> Option<Value> {
        let (kernel, index) = (self.kernel, self.makers.index);
        let mut all = None;
        for &number in statements {
            let statement = &kernel.statements[number];
            let mut firsts = Vec::with_capacity(statement.axes.len());
            for &axis in &statement.axes {
                firsts.push(self.index_at(b, axis, &Vec::new()));
            }
            for read in 0..statement.reads.len() {
                let access = self.access(number, read);
                if access.outside.is_none() {
                    continue;
                }
                for (dim, expr) in access.edges() {
                    // The distance of the last index from the first one.
                    let mut span = 0i64;
                    let mut axes = Vec::new();
                    statement.axes_in(expr, &mut axes);
                    for axis in axes {
                        let size = match self.axes[axis] {
                            None => kernel.known_extent(axis)?,
                            Some(state) if state.remaining.is_some() || state.end.is_some() => return None,
                            Some(state) => state.step,
                        };
                        let stride = statement.stride(expr, axis).filter(|&stride| stride >= 0)?;
                        span = span.checked_add(stride.checked_mul((size - 1).max(0))?)?;
                    }
                    let first = index.apply(b, expr, &firsts)?;
                    let extent = extent_of(self, b, &access, dim).ok()?;
                    let span = index.index(b, span);
                    let last = index.add(b, first, span);
                    let fits = is_inside(index, b, (first, last), extent);
                    all = Some(and(index, b, all, fits));
                }
            }
        }
        all
    }
}
