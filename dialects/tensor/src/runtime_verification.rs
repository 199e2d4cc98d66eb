//! Assertions on indices and extents at run time.

use crate::{InsertSlice, ParallelInsertSlice, Scatter};
use minoan_ir::{DYNAMIC, Op, Value};
use minoan_memref::slices::{SLICE_NAMES, dropped_dims, numbers, reassociation};
use minoan_services::RuntimeIndex as Index;
use minoan_services::{RuntimeChecks, RuntimeCondition, RuntimeVerification, Trap};

/// For operations whose last operands are the dynamic extents of the result, from operand `first` on: no extent is negative.
pub(crate) struct Sizes {
    pub(crate) first: usize,
}

impl RuntimeVerification for Sizes {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let sizes: Vec<Value> = operands(checks, op).split_off(self.first);
        for size in sizes {
            let size = checks.index(size);
            checks.expect_size(size, "the extent {} is negative");
        }
    }
}

/// For operations with one index per dimension after operand `tensor`: the indices are in bounds.
pub(crate) struct Indices {
    pub(crate) tensor: usize,
}

impl RuntimeVerification for Indices {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let indices = operands(checks, op).split_off(self.tensor);
        let [tensor, indices @ ..] = &indices[..] else { return };
        for (dim, &index) in indices.iter().enumerate() {
            let (index, extent) = (checks.index(index), checks.extent(*tensor, dim));
            checks.expect_inside(index, extent);
        }
    }
}

/// The dimension of `tensor.dim` exists.
pub(crate) struct DimExists;

impl RuntimeVerification for DimExists {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let [tensor, dim] = operands(checks, op)[..] else { return };
        let Some(rank) = checks.ty(tensor).rank(checks.context()) else { return };
        let dim = checks.index(dim);
        let exists = checks.is_inside(dim, Index::Constant(rank as i64));
        checks.expect(exists, "no dimension {}", &[dim]);
    }
}

/// The extents of a tensor are those of the type that it is cast to.
pub(crate) struct CastFits;

impl RuntimeVerification for CastFits {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let (source, result) = (operands(checks, op)[0], result(checks, op));
        let Some(shape) = checks.ty(result).shape(checks.context()) else { return };
        if checks.ty(source).rank(checks.context()) != Some(shape.len()) {
            return;
        }
        for (dim, &wanted) in shape.iter().enumerate().filter(|(_, wanted)| **wanted != DYNAMIC) {
            let have = checks.extent(source, dim);
            let fits = checks.equal(have, Index::Constant(wanted));
            checks.expect(fits, &cast_message(dim, wanted), &[have]);
        }
    }
}

/// The error for a cast of a tensor to another extent; `{}` stands for its own.
pub(crate) fn cast_message(dim: usize, wanted: i64) -> String {
    format!("a tensor of extent {{}} in dimension {dim} is cast to extent {wanted}")
}

/// A slice is inside of its tensor, and an inserted part has the size of the slice.
pub(crate) struct SliceFits;

impl RuntimeVerification for SliceFits {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let view = checks.op(op);
        let inserts = usize::from(view.is::<InsertSlice>() || view.is::<ParallelInsertSlice>());
        let lists = SLICE_NAMES.map(|name| numbers(view, name));
        let all = operands(checks, op);
        let mut values = all[1 + inserts..].iter().copied();
        let slice = lists.each_ref().map(|list| checks.numbers(list, &mut values));
        for dim in 0..slice[0].len() {
            let extent = checks.extent(all[inserts], dim);
            checks.expect_slice(slice.each_ref().map(|list| list[dim]), extent);
        }
        if inserts == 0 {
            return;
        }
        let part = checks.ty(all[0]).shape(checks.context()).unwrap_or(&[]);
        let dropped = dropped_dims(&lists[1], part).unwrap_or_default();
        let kept = slice[1].iter().zip(dropped).filter(|(_, dropped)| !dropped).map(|(&size, _)| size);
        for (dim, size) in kept.enumerate() {
            let have = checks.extent(all[0], dim);
            let fits = checks.equal(have, size);
            checks.expect(fits, &insert_message(dim), &[have, size]);
        }
    }
}

/// The error for a part that does not fill a slice; the `{}` stand for their extents.
pub(crate) fn insert_message(dim: usize) -> String {
    format!("a tensor of extent {{}} in dimension {dim} is inserted into a slice of size {{}}")
}

/// The dimensions that a dimension is expanded to have as many elements.
pub(crate) struct ExpandFits;

impl RuntimeVerification for ExpandFits {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let view = checks.op(op);
        let shape = numbers(view, "static_output_shape");
        let groups = view.attr_named("reassociation").and_then(|attr| reassociation(view.context(), attr));
        let all = operands(checks, op);
        let sizes = checks.numbers(&shape, &mut all[1..].iter().copied());
        for (dim, group) in groups.unwrap_or_default().into_iter().enumerate() {
            let sizes: Vec<Index> = group.iter().filter_map(|&at| sizes.get(at as usize).copied()).collect();
            let extent = checks.extent(all[0], dim);
            if sizes == [extent] {
                continue;
            }
            let fits = checks.is_product(&sizes, extent);
            checks.expect(fits, &expand_message(dim, sizes.len()), &[&[extent], &sizes[..]].concat());
        }
    }
}

/// The error for a dimension that is expanded to other dimensions; the `{}` stand for its extent and theirs.
pub(crate) fn expand_message(dim: usize, sizes: usize) -> String {
    let sizes = vec!["{}"; sizes].join(", ");
    format!("dimension {dim} of extent {{}} is expanded to extents [{sizes}]")
}

/// The extents that a tensor is reshaped to have as many elements.
pub(crate) struct ReshapeFits;

impl RuntimeVerification for ReshapeFits {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let [source, shape] = operands(checks, op)[..] else { return };
        let result = result(checks, op);
        let Some(wanted) = checks.ty(result).shape(checks.context()) else { return };
        if checks.ty(source).rank(checks.context()).is_none() {
            return;
        }
        let sizes: Vec<Index> =
            (0..wanted.len()).map(|dim| checks.element(shape, &[Index::Constant(dim as i64)])).collect();
        for (dim, (&size, &wanted)) in sizes.iter().zip(wanted).enumerate() {
            if wanted != DYNAMIC {
                let fits = checks.equal(size, Index::Constant(wanted));
                checks.expect(fits, &reshape_message(dim, wanted), &[size]);
            } else {
                checks.expect_size(size, "the extent {} is negative");
            }
        }
        let extents = checks.extents(source);
        let count = checks.product(&extents);
        let fits = checks.is_product(&sizes, count);
        checks.expect(fits, &count_message(sizes.len()), &[&[count], &sizes[..]].concat());
    }
}

/// The error for a shape that is not that of the result type; `{}` stands for its extent.
pub(crate) fn reshape_message(dim: usize, wanted: i64) -> String {
    format!("a tensor is reshaped to extent {{}} in dimension {dim}, but its type has extent {wanted}")
}

/// The error for a tensor that is reshaped to another number of elements; the `{}` stand for its own and the extents.
pub(crate) fn count_message(sizes: usize) -> String {
    format!("{{}} elements do not fill extents [{}]", vec!["{}"; sizes].join(", "))
}

/// The extents of concatenated tensors agree, and the type of the result has those of the concatenation.
pub(crate) struct ConcatFits;

impl RuntimeVerification for ConcatFits {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let along = checks.op(op).attr_value::<i64>("dim").unwrap_or(0) as usize;
        let (inputs, result) = (operands(checks, op), result(checks, op));
        let shape = checks.ty(result).shape(checks.context()).unwrap_or(&[]);
        for (dim, &wanted) in shape.iter().enumerate() {
            let extents: Vec<Index> = inputs.iter().map(|&input| checks.extent(input, dim)).collect();
            let have = if dim == along {
                extents.iter().fold(Index::Constant(0), |sum, &extent| checks.add(sum, extent))
            } else {
                for &extent in &extents[1..] {
                    let same = checks.equal(extents[0], extent);
                    checks.expect(same, &concat_message(dim), &[extents[0], extent]);
                }
                extents[0]
            };
            if wanted != DYNAMIC {
                let fits = checks.equal(have, Index::Constant(wanted));
                checks.expect(fits, &result_message(dim, wanted), &[have]);
            }
        }
    }
}

/// The error for concatenated tensors of different extents, for which the `{}` stand.
pub(crate) fn concat_message(dim: usize) -> String {
    format!("dimension {dim} of concatenated tensors has extents {{}} and {{}}")
}

/// The error for a result of another extent, for which `{}` stands, than its type has.
pub(crate) fn result_message(dim: usize, wanted: i64) -> String {
    format!("the result has extent {{}} in dimension {dim}, but its type has extent {wanted}")
}

/// Checks that a result of some extents has its type.
///
/// # Errors
/// [`result_message`].
pub(crate) fn has_type(shape: &[usize], wanted: &[i64]) -> Result<(), Trap> {
    let mut extents = shape.iter().zip(wanted).enumerate();
    match extents.find(|(_, (have, want))| **want != DYNAMIC && **want != **have as i64) {
        Some((dim, (&have, &wanted))) => {
            Err(Trap::assertion(filled(&result_message(dim, wanted), &[have as i64])))
        }
        None => Ok(()),
    }
}

/// A message with numbers in place of its `{}`.
pub(crate) fn filled(message: &str, numbers: &[i64]) -> String {
    let mut parts = message.split("{}");
    let first = parts.next().unwrap_or_default().to_owned();
    numbers.iter().zip(parts).fold(first, |text, (number, part)| format!("{text}{number}{part}"))
}

/// The extents of a padded tensor are not negative, and those of its type.
pub(crate) struct PadFits;

/// The error for a padded extent that is not a size.
pub(crate) const PAD_MESSAGE: &str = "a padded extent is negative or too large";

impl RuntimeVerification for PadFits {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        /// Sums of an extent and two widths of smaller magnitude do not overflow.
        const LIMIT: i64 = 1 << 60;
        let view = checks.op(op);
        let widths = ["static_low", "static_high"].map(|name| numbers(view, name));
        let (all, result) = (operands(checks, op), result(checks, op));
        let mut values = all[1..].iter().copied();
        let [low, high] = widths.map(|list| checks.numbers(&list, &mut values));
        let shape = checks.ty(result).shape(checks.context()).unwrap_or(&[]);
        for (dim, &wanted) in shape.iter().enumerate() {
            let mut padded = checks.extent(all[0], dim);
            let mut fits = RuntimeCondition::Known(true);
            for width in [low[dim], high[dim]] {
                padded = checks.add(padded, width);
                let shifted = checks.add(width, Index::Constant(LIMIT));
                let small = checks.is_inside(shifted, Index::Constant(2 * LIMIT));
                fits = checks.both(fits, small);
            }
            let natural = checks.less(Index::Constant(-1), padded);
            let fits = checks.both(fits, natural);
            checks.expect(fits, PAD_MESSAGE, &[]);
            if wanted != DYNAMIC {
                let fits = checks.equal(padded, Index::Constant(wanted));
                checks.expect(fits, &result_message(dim, wanted), &[padded]);
            }
        }
    }
}

/// The coordinates of gathered or scattered slices are in bounds, and scattered slices have the extents of their places.
pub(crate) struct CoordinatesFit;

impl RuntimeVerification for CoordinatesFit {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let view = checks.op(op);
        let scatters = view.is::<Scatter>();
        let dims = numbers(view, if scatters { "scatter_dims" } else { "gather_dims" });
        let dims: Vec<usize> = dims.into_iter().map(|dim| dim as usize).collect();
        let all = operands(checks, op);
        let (&whole, &indices) = if scatters { (&all[1], &all[2]) } else { (&all[0], &all[1]) };
        let (extents, mut batch) = (checks.extents(whole), checks.extents(indices));
        batch.pop();
        if scatters {
            let kept = (0..extents.len()).filter(|dim| !dims.contains(dim)).map(|dim| extents[dim]);
            let reduced: Vec<Index> = batch.iter().copied().chain(kept).collect();
            let one = |dim| if dims.contains(&dim) { Index::Constant(1) } else { extents[dim] };
            let full: Vec<Index> = batch.iter().copied().chain((0..extents.len()).map(one)).collect();
            let slices = checks.extents(all[0]);
            let wanted = if slices.len() == reduced.len() { reduced } else { full };
            for (dim, (have, want)) in slices.into_iter().zip(wanted).enumerate() {
                let same = checks.equal(have, want);
                checks.expect(same, &insert_message(dim), &[have, want]);
            }
        }
        checks.for_each(&batch, &mut |checks, point| {
            for (number, &dim) in dims.iter().enumerate() {
                let at = [point, &[Index::Constant(number as i64)]].concat();
                let coordinate = checks.element(indices, &at);
                checks.expect_inside(coordinate, extents[dim]);
            }
        });
    }
}

fn operands(checks: &RuntimeChecks<'_, '_>, op: Op) -> Vec<Value> {
    checks.op(op).operands().collect()
}

fn result(checks: &RuntimeChecks<'_, '_>, op: Op) -> Value {
    checks.op(op).result(0)
}
