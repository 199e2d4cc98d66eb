//! Helpers for folding slices and reshapes of buffers and tensors.

use crate::slices::{SLICE_NAMES, in_bounds, numbers, reassociation};
use minoan_ir::{Array, Attr, Context, DYNAMIC, Op, OpDef, OpRef, Type, Value};
use minoan_rewrite::{NoMatch, Rewriter};
use minoan_services::{Change, Folded};

/// The first operand of the definition of a value, if that is an `O`.
pub fn source_of<O: OpDef>(op: OpRef<'_>, value: Value) -> Option<Value> {
    let body = op.body();
    let def = body.op(body.defining_op(value)?);
    def.is::<O>().then(|| def.operand(0))
}

/// The operand of a cast of kind `O` from a ranked type that defines a value.
pub fn before_cast<O: OpDef>(op: OpRef<'_>, value: Value) -> Option<Value> {
    source_of::<O>(op, value).filter(|&source| op.body().ty(source).shape(op.context()).is_some())
}

/// Replaces an operand.
pub fn with_operand(op: OpRef<'_>, at: usize, value: Value) -> Folded {
    let operands = op.operands().enumerate().map(|(index, old)| if index == at { value } else { old });
    Change::new().operands(operands).into()
}

/// Folds the rank of the first operand, if it is ranked.
pub fn fold_rank(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let ctx = op.context();
    let rank = op.body().ty(op.operand(0)).rank(ctx);
    rank.map(|rank| Attr::index_value(ctx, rank as i64)).into()
}

/// Whether the first operand and the first result have the same type.
pub fn same_type(op: OpRef<'_>) -> bool {
    op.body().ty(op.operand(0)) == op.body().ty(op.result(0))
}

/// The operand of the inverse reshape, if it has the same type and reassociation, and the same extents at run time: a group of
/// several dynamic extents may be expanded to others than those that were collapsed.
pub fn undo<Other: OpDef>(op: OpRef<'_>) -> Option<Value> {
    let (body, ctx) = (op.body(), op.context());
    if same_type(op) {
        return Some(op.operand(0));
    }
    let def = body.op(body.defining_op(op.operand(0))?);
    let source = def.is::<Other>().then(|| def.operand(0))?;
    let (ty, groups) = (body.ty(source), groups_of(ctx, op)?);
    let same = ty == body.ty(op.result(0)) && groups_of(ctx, def).as_ref() == Some(&groups);
    let shape = ty.shape(ctx)?;
    let is_expansion = shape.len() > groups.len();
    let is_dynamic = |&&dim: &&i64| shape.get(dim as usize) == Some(&DYNAMIC);
    let is_determined = |group: &Vec<i64>| group.iter().filter(is_dynamic).count() <= 1;
    (same && (!is_expansion || groups.iter().all(is_determined))).then_some(source)
}

/// The reassociation of a reshape.
pub fn groups_of(ctx: &Context, op: OpRef<'_>) -> Option<Vec<Vec<i64>>> {
    op.attr_named("reassociation").and_then(|attr| reassociation(ctx, attr))
}

/// The reshape of kind `O` that defines the operand of another one, if `fits` holds for the types of the operands and results of
/// both.
///
/// # Errors
/// The reason why the two are not combined; `misfit` if a type does not fit.
pub fn reshaped_twice<O: OpDef>(
    op: Op,
    rewriter: &Rewriter<'_>,
    fits: fn(&Context, Type) -> bool,
    misfit: &'static str,
) -> Result<Op, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context());
    let view = body.op(op);
    let before = body.defining_op(view.operand(0)).filter(|&def| body.op(def).is::<O>());
    let before = before.ok_or(NoMatch::because("the operand is defined by another operation"))?;
    let first = body.op(before);
    let types = [first.operand(0), first.result(0), view.result(0)].map(|value| body.ty(value));
    if types.iter().all(|&ty| fits(ctx, ty)) { Ok(before) } else { Err(NoMatch::because(misfit)) }
}

/// The composition of two reassociations, the finer one first.
pub fn composed_groups(ctx: &Context, finer: OpRef<'_>, coarser: OpRef<'_>) -> Option<Vec<Array<i64>>> {
    let (finer, coarser) = (groups_of(ctx, finer)?, groups_of(ctx, coarser)?);
    let all = |group: &Vec<i64>| -> Option<Array<i64>> {
        let dims = group.iter().map(|&at| finer.get(usize::try_from(at).ok()?));
        Some(dims.collect::<Option<Vec<_>>>()?.into_iter().flatten().copied().collect())
    };
    coarser.iter().map(all).collect()
}

/// The offsets, sizes and strides of a slice whose operand groups start at `first`: static numbers, and the operands
/// for dynamic ones.
pub fn slice_of(op: OpRef<'_>, first: usize) -> [(Vec<i64>, Vec<Value>); 3] {
    [0, 1, 2].map(|at| (numbers(op, SLICE_NAMES[at]), op.operand_group(first + at)))
}

/// Whether a slice covers a static shape completely.
pub fn is_whole(slice: &[(Vec<i64>, Vec<Value>); 3], shape: &[i64]) -> bool {
    let [(offsets, _), (sizes, _), (strides, _)] = slice;
    offsets.iter().all(|&offset| offset == 0)
        && strides.iter().all(|&stride| stride == 1)
        && sizes == shape
        && !shape.contains(&DYNAMIC)
}

/// Replaces the dynamic entries of a list of sizes or offsets by constants, where values are non-negative constants.
/// Returns the values that remain dynamic, and whether any entry was replaced.
pub fn fold_constant_entries(
    rewriter: &Rewriter<'_>,
    numbers: &mut [i64],
    values: &[Value],
) -> (Vec<Value>, bool) {
    fold_constant_entries_if(rewriter, numbers, values, |number| number >= 0)
}

/// Like [`fold_constant_entries`], for the constants that `accepts` admits.
fn fold_constant_entries_if(
    rewriter: &Rewriter<'_>,
    numbers: &mut [i64],
    values: &[Value],
    accepts: impl Fn(i64) -> bool,
) -> (Vec<Value>, bool) {
    let known = |value: Value| {
        let attr = rewriter.constant_of(value)?;
        attr.as_i64(rewriter.context()).filter(|&number| number != DYNAMIC && accepts(number))
    };
    let mut left = Vec::new();
    let open = numbers.iter_mut().filter(|number| **number == DYNAMIC);
    for (place, &value) in open.zip(values) {
        match known(value) {
            Some(known) => *place = known,
            None => left.push(value),
        }
    }
    let found = left.len() < values.len();
    (left, found)
}

/// Replaces some of the inherent attributes.
pub fn with_props(ctx: &Context, props: Attr, changed: &[(&str, Attr)]) -> Attr {
    let mut entries: Vec<_> = props.as_dictionary(ctx).unwrap_or(&[]).to_vec();
    for &(name, value) in changed {
        let name = ctx.name(name);
        match entries.iter_mut().find(|(entry, _)| *entry == name) {
            Some(entry) => entry.1 = value,
            None => entries.push((name, value)),
        }
    }
    Attr::dictionary(ctx, &entries)
}

/// Replaces the operand segment sizes in the inherent attributes.
pub fn with_segments(ctx: &Context, props: Attr, sizes: &[usize]) -> Attr {
    let sizes: Vec<i32> = sizes.iter().map(|&size| i32::try_from(size).unwrap_or(i32::MAX)).collect();
    with_props(ctx, props, &[("operandSegmentSizes", Attr::dense_i32(ctx, &sizes))])
}

/// A slice whose constant operands have been made static.
pub struct Settled {
    /// The operands of the slice.
    pub operands: Vec<Value>,
    /// The number of dynamic offsets, sizes and strides.
    pub counts: [usize; 3],
    /// The static lists.
    pub numbers: [Vec<i64>; 3],
}

impl Settled {
    /// The slice of a tensor or buffer with extents `shape` by an operation whose slice operands start at group
    /// `first`. `None` if none of its operands is a constant, or if the constants make the slice invalid: a program
    /// that fails only when it is executed must still verify.
    pub fn of(rewriter: &Rewriter<'_>, op: OpRef<'_>, first: usize, shape: &[i64]) -> Option<Settled> {
        let (mut operands, mut counts, mut found) = (Vec::new(), [0; 3], false);
        let mut lists = slice_of(op, first);
        for (at, ((numbers, values), count)) in lists.iter_mut().zip(&mut counts).enumerate() {
            // Strides may be negative.
            let (left, some) =
                fold_constant_entries_if(rewriter, numbers, values, |number| at == 2 || number >= 0);
            *count = left.len();
            operands.extend(left);
            found |= some;
        }
        let numbers = lists.map(|(numbers, _)| numbers);
        let valid = found && in_bounds(numbers.each_ref().map(Vec::as_slice), shape).is_ok();
        valid.then_some(Settled { operands, counts, numbers })
    }

    /// The inherent attributes, where `before` single-operand groups precede the slice.
    pub fn props(&self, ctx: &Context, props: Attr, before: usize) -> Attr {
        let sizes: Vec<usize> = std::iter::repeat_n(1, before).chain(self.counts).collect();
        let lists = [0, 1, 2].map(|at| (SLICE_NAMES[at], Attr::dense_i64(ctx, &self.numbers[at])));
        with_props(ctx, with_segments(ctx, props, &sizes), &lists)
    }
}
