//! Assertions on indices and extents at run time.

use crate::slices::{SLICE_NAMES, numbers};
use minoan_ir::{DYNAMIC, Op, Value};
use minoan_services::{RuntimeChecks, RuntimeVerification};

/// For operations with one index per dimension after operand `buffer`: the indices are in bounds.
pub(crate) struct Indices {
    pub(crate) buffer: usize,
}

impl RuntimeVerification for Indices {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let operands: Vec<Value> = checks.op(op).operands().skip(self.buffer).collect();
        let [buffer, indices @ ..] = &operands[..] else { return };
        for (dim, &index) in indices.iter().enumerate() {
            let (index, extent) = (checks.index(index), checks.extent(*buffer, dim));
            checks.expect_inside(index, extent);
        }
    }
}

/// The part is inside of the buffer.
pub(crate) struct PartFits;

impl RuntimeVerification for PartFits {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let view = checks.op(op);
        let lists = SLICE_NAMES.map(|name| numbers(view, name));
        let operands: Vec<Value> = view.operands().collect();
        let mut values = operands[1..].iter().copied();
        let slice = lists.each_ref().map(|list| checks.numbers(list, &mut values));
        for dim in 0..slice[0].len() {
            let extent = checks.extent(operands[0], dim);
            checks.expect_slice(slice.each_ref().map(|list| list[dim]), extent);
        }
    }
}

/// The extents of a buffer are those of the type that it is cast to.
pub(crate) struct CastFits;

impl RuntimeVerification for CastFits {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let view = checks.op(op);
        let (source, result) = (view.operand(0), view.result(0));
        let Some(shape) = checks.ty(result).shape(checks.context()) else { return };
        if checks.ty(source).rank(checks.context()) != Some(shape.len()) {
            return;
        }
        for (dim, &wanted) in shape.iter().enumerate().filter(|(_, wanted)| **wanted != DYNAMIC) {
            let have = checks.extent(source, dim);
            let fits = checks.equal(have, minoan_services::RuntimeIndex::Constant(wanted));
            let message = format!("a buffer of extent {{}} in dimension {dim} is cast to extent {wanted}");
            checks.expect(fits, &message, &[have]);
        }
    }
}

/// The buffers of a copy have the same extents.
pub(crate) struct SameExtents;

impl RuntimeVerification for SameExtents {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let operands: Vec<Value> = checks.op(op).operands().collect();
        let (from, to) = (checks.extents(operands[0]), checks.extents(operands[1]));
        for (dim, (from, to)) in from.into_iter().zip(to).enumerate() {
            let same = checks.equal(from, to);
            let message =
                format!("a buffer of extent {{}} in dimension {dim} is copied to one of extent {{}}");
            checks.expect(same, &message, &[from, to]);
        }
    }
}
