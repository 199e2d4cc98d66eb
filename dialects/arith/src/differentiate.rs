//! Derivatives of arithmetic.

use crate::{
    AddF, CmpFPredicate, FastMath, addf, andi, cmpf, constant_bool, constant_float, divf, extf, mulf, negf,
    select, subf, truncf, xori,
};
use minoan_ir::{Attr, Builder, DYNAMIC, OpRef, Value};
use minoan_services::{
    Algebra, Choice, FloatSign, GUARD, SelectLike, SignOf, TangentCx, TangentSpace, TransposeCx, constant_of,
    is_constant_zero,
};

type Outcome = Result<(), String>;

/// The sum of two tangents, either of which may be zero.
fn sum(b: &mut Builder<'_>, x: Option<Value>, y: Option<Value>) -> Option<Value> {
    match (x, y) {
        (Some(x), Some(y)) => Some(addf(b, x, y)),
        (x, y) => x.or(y),
    }
}

/// The tangents of two operands, as values.
fn both(cx: &mut TangentCx<'_, '_>, first: usize, second: usize) -> [Value; 2] {
    let mut or_zero = |operand: usize| match cx.d(operand) {
        Some(tangent) => tangent,
        None => {
            let primal = cx.primal(operand);
            zero_like(cx.b, primal)
        }
    };
    [or_zero(first), or_zero(second)]
}

pub(crate) fn add(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (x, y) = (cx.d(0), cx.d(1));
    let total = sum(cx.b, x, y);
    cx.set(0, total);
    Ok(())
}

pub(crate) fn add_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    if let Some(ct) = cx.ct(0) {
        cx.add(0, ct);
        cx.add(1, ct);
    }
    Ok(())
}

pub(crate) fn sub(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let difference = match (cx.d(0), cx.d(1)) {
        (Some(x), Some(y)) => Some(subf(cx.b, x, y)),
        (None, Some(y)) => Some(negf(cx.b, y)),
        (x, None) => x,
    };
    cx.set(0, difference);
    Ok(())
}

pub(crate) fn sub_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    if let Some(ct) = cx.ct(0) {
        cx.add(0, ct);
        if cx.is_linear(1) {
            let ct = on_selected(cx.b, ct, negf);
            cx.add(1, ct);
        }
    }
    Ok(())
}

pub(crate) fn neg(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let tangent = cx.d(0).map(|x| negf(cx.b, x));
    cx.set(0, tangent);
    Ok(())
}

pub(crate) fn neg_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    if let Some(ct) = cx.ct(0) {
        let ct = on_selected(cx.b, ct, negf);
        cx.add(0, ct);
    }
    Ok(())
}

pub(crate) fn mul(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (x, y) = (cx.primal(0), cx.primal(1));
    let first = cx.d(0).map(|dx| product(cx.b, dx, y));
    let second = cx.d(1).map(|dy| product(cx.b, dy, x));
    let total = sum(cx.b, first, second);
    cx.set(0, total);
    Ok(())
}

pub(crate) fn mul_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    if cx.is_linear(0) && cx.is_linear(1) {
        return Err("is not linear in both operands together".to_owned());
    }
    let by = cx.operand(usize::from(cx.is_linear(0)));
    let ct = on_selected(cx.b, ct, |b, ct| product(b, ct, by));
    cx.add(0, ct);
    cx.add(1, ct);
    Ok(())
}

/// Applies a linear function, whose result may have another type, to a cotangent. If that is a select with a zero, the function is
/// applied inside of the select: the zero must stay zero even if the function multiplies by an infinity.
pub fn on_selected(
    b: &mut Builder<'_>,
    ct: Value,
    mut f: impl FnMut(&mut Builder<'_>, Value) -> Value,
) -> Value {
    let Some(Choice { condition, yes, no }) = selected_or_zero(b, ct) else { return f(b, ct) };
    let is_zero = [yes, no].map(|part| is_constant_zero(b.body(), part));
    let [yes, no] = [0, 1].map(|at| if is_zero[at] { [yes, no][at] } else { f(b, [yes, no][at]) });
    let ty = b.ty(if is_zero[0] { no } else { yes });
    let [yes, no] = [yes, no].map(|part| match b.ty(part) == ty {
        true => part,
        false => <dyn TangentSpace>::zero_of(b, ty),
    });
    let chosen = select(b, condition, yes, no);
    if is_guard(b, ct) { guard(b, chosen) } else { chosen }
}

/// Marks the select of a zero or else a derivative that [`zero_without_cause`] creates. Its own derivative is that of the
/// derivative also where the zero is selected, since the derivative is zero there.
fn guard(b: &mut Builder<'_>, chosen: Value) -> Value {
    if choice_of(b, chosen).is_some_and(|choice| is_constant_zero(b.body(), choice.yes))
        && let Some(op) = b.body().defining_op(chosen)
    {
        let (name, unit) = (b.context().name(GUARD), Attr::UNIT);
        b.body_mut().set_attr(op, name, Some(unit));
    }
    chosen
}

/// Whether an operation is the sum of two floats or complex numbers, or of tensors of these.
fn adds(op: OpRef<'_>) -> bool {
    op.is::<AddF>() || op.context().service::<dyn Algebra>(op.kind()).is_some_and(|algebra| algebra.adds(op))
}

/// Whether a value is a select that is marked as a guard, or a sum of two.
fn is_guard(b: &Builder<'_>, value: Value) -> bool {
    let Some(op) = b.body().defining_op(value) else { return false };
    let is_marked = |op: OpRef<'_>| op.attr_named(GUARD).is_some();
    let op = b.body().op(op);
    match adds(op) {
        true => op
            .operands()
            .all(|part| b.body().defining_op(part).is_some_and(|part| is_marked(b.body().op(part)))),
        false => is_marked(op),
    }
}

/// Whether the second operand may be zero.
pub(crate) fn may_divide_by_zero(op: OpRef<'_>) -> bool {
    let divisor = op.operand(1);
    let number = constant_of(op.body(), divisor).and_then(|attr| crate::fold::float_of(op.context(), attr));
    match number {
        Some(number) => number == 0.0,
        None => <dyn SignOf>::of(op.body(), divisor) != FloatSign::Positive,
    }
}

/// Creates `derivative`, which is linear in `causes`, replaced by zero where all of them are zero: their products with infinite
/// slopes are not numbers. A derivative that is a select with a zero stays one.
pub fn zero_without_cause(b: &mut Builder<'_>, causes: &[Value], derivative: Value) -> Value {
    let ctx = b.context();
    let ty = b.ty(derivative);
    // Tensors of other numbers have no operations whose slope may be infinite.
    let is_float = ty.element_or_self(&ctx).is_float(&ctx);
    let is_known = ty.shape(&ctx).is_none_or(|shape| is_float && shape.iter().all(|&extent| extent >= 0));
    if <dyn TangentSpace>::of(&ctx, ty).is_none() || !is_known || constant_of(b.body(), derivative).is_some()
    {
        return derivative;
    }
    if let &[cause] = causes
        && let Some(of) = choice_of(b, derivative)
        && let Some(by) = selected_or_zero(b, cause).filter(|by| by.condition == of.condition)
    {
        let [yes, no] =
            [(of.yes, by.yes), (of.no, by.no)].map(|(part, cause)| zero_without_cause(b, &[cause], part));
        let chosen = select(b, of.condition, yes, no);
        return if is_guard(b, derivative) { guard(b, chosen) } else { chosen };
    }
    let zero = <dyn TangentSpace>::zero_of(b, ty);
    let mut tests = Vec::with_capacity(causes.len());
    for &cause in causes {
        let none = if b.ty(cause) == ty { zero } else { zero_like(b, cause) };
        tests.push(equal(b, cause, none));
    }
    match tests.into_iter().reduce(|all, test| andi(b, all, test)) {
        Some(replaced) => {
            let chosen = select(b, replaced, zero, derivative);
            guard(b, chosen)
        }
        None => derivative,
    }
}

/// The select that defines a value, if one of its operands is the constant zero. A sum of two such selects by the same condition
/// counts.
fn selected_or_zero(b: &mut Builder<'_>, value: Value) -> Option<Choice> {
    if let Some(choice) = choice_of(b, value) {
        return Some(choice);
    }
    let op = b.body().op(b.body().defining_op(value)?);
    let operands: Vec<Value> = op.operands().collect();
    let &[first, second] = &operands[..] else { return None };
    if !adds(op) {
        return None;
    }
    let (first, second) = (choice_of(b, first)?, choice_of(b, second)?);
    let is_yes = [first, second].map(|choice| is_constant_zero(b.body(), choice.no));
    match is_yes {
        _ if first.condition != second.condition => None,
        [true, true] => Some(Choice { yes: total(b, first.yes, second.yes), ..first }),
        [false, false] => Some(Choice { no: total(b, first.no, second.no), ..first }),
        _ => None,
    }
}

/// The sum of two tangents.
fn total(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let (ctx, ty) = (b.context(), b.ty(x));
    match <dyn TangentSpace>::of(&ctx, ty) {
        Some((space, _)) if !ty.element_or_self(&ctx).is_float(&ctx) => space.add(b, x, y),
        _ => addf(b, x, y),
    }
}

/// Whether two tangents are equal; false if one is not a number.
fn equal(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let (ctx, ty) = (b.context(), b.ty(x));
    match <dyn TangentSpace>::of(&ctx, ty) {
        Some((space, _)) => space.equal(b, x, y),
        None => cmpf(b, CmpFPredicate::Oeq, x, y),
    }
}

/// Whether a tangent is not a number.
fn is_nan(b: &mut Builder<'_>, x: Value) -> Value {
    let (ctx, ty) = (b.context(), b.ty(x));
    if ty.element_or_self(&ctx).is_float(&ctx) {
        return cmpf(b, CmpFPredicate::Une, x, x);
    }
    let (is_number, yes) = (equal(b, x, x), constant_bool(b, true));
    xori(b, is_number, yes)
}

fn choice_of(b: &Builder<'_>, value: Value) -> Option<Choice> {
    let op = b.body().op(b.body().defining_op(value)?);
    let choice = op.context().service::<dyn SelectLike>(op.kind())?.choice(op)?;
    (is_constant_zero(b.body(), choice.yes) != is_constant_zero(b.body(), choice.no)).then_some(choice)
}

/// Whether a value is a constant equal to a number; the zeros are equal.
fn is_constant(b: &Builder<'_>, value: Value, number: f64) -> bool {
    let ctx = b.context();
    constant_of(b.body(), value).and_then(|attr| crate::fold::float_of(&ctx, attr)) == Some(number)
}

/// A product that no source rounds: it may be contracted with the sum that it is added to.
fn product(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let product = mulf(b, x, y);
    crate::with_fastmath(b, product, [FastMath::Contract])
}

/// `d(x / y) = (dx - (x / y) dy) / y`. The derivative of a reciprocal is `-(1 / y) (1 / y) dy`, without a further division.
pub(crate) fn div(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (x, y, quotient) = (cx.primal(0), cx.primal(1), cx.result(0));
    if let Some(dy) = cx.d(1).filter(|_| is_constant(cx.b, x, 1.0)) {
        let scaled = product(cx.b, dy, quotient);
        let tangent = product(cx.b, scaled, quotient);
        let tangent = negf(cx.b, tangent);
        cx.set(0, Some(tangent));
        return Ok(());
    }
    let second = cx.d(1).map(|dy| mulf(cx.b, dy, quotient));
    let numerator = match (cx.d(0), second) {
        (Some(dx), Some(second)) => Some(subf(cx.b, dx, second)),
        (None, Some(second)) => Some(negf(cx.b, second)),
        (dx, None) => dx,
    };
    let tangent = numerator.map(|numerator| divf(cx.b, numerator, y));
    cx.set(0, tangent);
    Ok(())
}

pub(crate) fn div_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    if cx.is_linear(1) {
        return Err("is not linear in its divisor".to_owned());
    }
    let divisor = cx.operand(1);
    let ct = on_selected(cx.b, ct, |b, ct| divf(b, ct, divisor));
    cx.add(0, ct);
    Ok(())
}

/// `x rem y = x - trunc(x / y) y`. The factor of `dy` is the exact quotient `(x - x rem y) / y`.
pub(crate) fn rem(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let (x, y, rest) = (cx.primal(0), cx.primal(1), cx.result(0));
    let second = cx.d(1).map(|dy| {
        let multiple = subf(cx.b, rest, x);
        let factor = divf(cx.b, multiple, y);
        mulf(cx.b, dy, factor)
    });
    let first = cx.d(0);
    let total = sum(cx.b, first, second);
    cx.set(0, total);
    Ok(())
}

/// The tangent is selected, not multiplied by a mask: the tangent that is not selected may be infinite.
pub(crate) fn choose(cx: &mut TangentCx<'_, '_>) -> Outcome {
    if cx.d(1).is_none() && cx.d(2).is_none() {
        return Ok(());
    }
    let [yes, no] = both(cx, 1, 2);
    let mut condition = cx.primal(0);
    let result = cx.result(0);
    if !is_guard(cx.b, result) {
        let chosen = select(cx.b, condition, yes, no);
        cx.set(0, chosen);
        return Ok(());
    }
    // An infinite slope times a zero is not a number, and stays zero.
    if !cx.is_transposed() {
        let is_nan = is_nan(cx.b, no);
        condition = andi(cx.b, condition, is_nan);
    }
    let chosen = select(cx.b, condition, yes, no);
    let chosen = guard(cx.b, chosen);
    cx.set(0, chosen);
    Ok(())
}

pub(crate) fn choose_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    let condition = cx.operand(0);
    let ty = cx.b.ty(ct);
    if <dyn TangentSpace>::of(&cx.b.context(), ty).is_none() {
        return Err("chooses between values that have no cotangent".to_owned());
    }
    if cx.b.body().op(cx.op).attr_named(GUARD).is_some() {
        let zero = zero_like(cx.b, ct);
        let is_zero = equal(cx.b, ct, zero);
        let condition = andi(cx.b, condition, is_zero);
        let part = select(cx.b, condition, zero, ct);
        let part = guard(cx.b, part);
        cx.add(2, part);
        return Ok(());
    }
    for (operand, is_first) in [(1, true), (2, false)] {
        if cx.is_linear(operand) {
            // Tensors between which one condition chooses may differ in their extents.
            let chosen = cx.operand(operand);
            let zero = zero_like(cx.b, chosen);
            let [yes, no] = if is_first { [ct, zero] } else { [zero, ct] };
            let part = select(cx.b, condition, yes, no);
            cx.add(operand, part);
        }
    }
    Ok(())
}

/// Zeros with the type and the extents of a value.
fn zero_like(b: &mut Builder<'_>, value: Value) -> Value {
    let (ctx, ty) = (b.context(), b.ty(value));
    let is_dynamic = ty.shape(&ctx).is_some_and(|shape| shape.contains(&DYNAMIC));
    match <dyn TangentSpace>::of(&ctx, ty) {
        Some((space, _)) if is_dynamic => space.zero_like(b, value),
        Some((space, _)) => space.zero(b, ty),
        None => constant_float(b, 0.0, ty),
    }
}

/// Converts to a float type of another width.
fn resize(b: &mut Builder<'_>, value: Value, like: Value) -> Value {
    let ctx = b.context();
    let (from, to) = (b.ty(value), b.ty(like));
    let width =
        |ty: minoan_ir::Type| ty.element_or_self(&ctx).float_kind(&ctx).map(minoan_ir::FloatKind::width);
    match (width(from), width(to)) {
        (Some(from), Some(to)) if from < to => extf(b, value, b.ty(like)),
        (Some(from), Some(to)) if from > to => truncf(b, value, b.ty(like)),
        _ => value,
    }
}

pub(crate) fn convert(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let like = cx.result(0);
    let tangent = cx.d(0).map(|x| resize(cx.b, x, like));
    cx.set(0, tangent);
    Ok(())
}

pub(crate) fn convert_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    if let Some(ct) = cx.ct(0) {
        let like = cx.operand(0);
        let ct = resize(cx.b, ct, like);
        cx.add(0, ct);
    }
    Ok(())
}

/// The derivative of an operation that selects one of two operands; of the first one if they are equal.
fn first_if(cx: &mut TangentCx<'_, '_>, predicate: CmpFPredicate) -> Outcome {
    if cx.d(0).is_none() && cx.d(1).is_none() {
        return Ok(());
    }
    let [x, y] = [cx.primal(0), cx.primal(1)];
    let [dx, dy] = both(cx, 0, 1);
    let first = cmpf(cx.b, predicate, x, y);
    let chosen = select(cx.b, first, dx, dy);
    cx.set(0, chosen);
    Ok(())
}

pub(crate) fn larger(cx: &mut TangentCx<'_, '_>) -> Outcome {
    first_if(cx, CmpFPredicate::Oge)
}

pub(crate) fn smaller(cx: &mut TangentCx<'_, '_>) -> Outcome {
    first_if(cx, CmpFPredicate::Ole)
}
