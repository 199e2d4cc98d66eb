//! Helpers that build tensors from tensors, shared by all rules.

use super::extent::{Extent, in_type_and_values};
use super::site::Tensor;
use super::{extract, scalar};
use crate::ty::{DType, Dim, TensorType};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Array, Builder, DYNAMIC, OpDef, Type, Value};
use minoan_linalg::{Fill, Generic, IteratorType};
use minoan_scf::For;
pub(super) use minoan_tensor::insert;
use minoan_tensor::{Cast, CollapseShape, Empty, ExpandShape, FromElements, Generate};

/// The extent along an axis.
pub(super) fn extent(b: &mut Builder<'_>, tensor: &Tensor, axis: usize) -> Extent {
    match tensor.ty.shape[axis] {
        Dim::Known(extent) => Extent::Known(extent),
        _ => Extent::of(b, tensor.value, axis),
    }
}

/// All extents.
pub(super) fn extents(b: &mut Builder<'_>, tensor: &Tensor) -> Vec<Extent> {
    (0..tensor.ty.rank()).map(|axis| extent(b, tensor, axis)).collect()
}

/// The lowered type of tensors with these extents, and the dynamic extents.
fn shaped(b: &Builder<'_>, extents: &[Extent], dtype: DType) -> (Type, Vec<Value>) {
    let ctx = b.context();
    let (shape, values) = in_type_and_values(extents);
    (Type::tensor(&ctx, &shape, scalar::element(&ctx, dtype)), values)
}

fn tensor(value: Value, extents: &[Extent], dtype: DType) -> Tensor {
    Tensor { value, ty: TensorType::new(extents.iter().map(|extent| extent.dim()), dtype) }
}

/// An uninitialized tensor.
pub(super) fn empty(b: &mut Builder<'_>, extents: &[Extent], dtype: DType) -> Tensor {
    let (ty, sizes) = shaped(b, extents, dtype);
    tensor(Empty::build(b, &sizes, ty).result(b.body()), extents, dtype)
}

/// A tensor whose elements are all `value`.
pub(super) fn filled(b: &mut Builder<'_>, extents: &[Extent], dtype: DType, value: Value) -> Tensor {
    if extents.is_empty() {
        return number(b, dtype, value);
    }
    let empty = empty(b, extents, dtype);
    let fill = Fill::with(b, value, empty.value);
    Tensor { value: b.body().op(fill.op()).result(0), ..empty }
}

/// A view of a tensor whose axis `i` becomes the next `groups[i]` axes of extents `wanted`.
pub(super) fn expanded(b: &mut Builder<'_>, data: &Tensor, groups: &[usize], wanted: &[Extent]) -> Tensor {
    if groups.iter().all(|&size| size == 1) {
        return data.clone();
    }
    let (ty, _) = shaped(b, wanted, data.dtype());
    let (shape, sizes) = in_type_and_values(wanted);
    let value = ExpandShape::build(b, data.value, &sizes, reassociation(groups), shape, ty).result(b.body());
    tensor(value, wanted, data.dtype())
}

/// A view of a tensor whose next `groups[i]` axes become axis `i`.
pub(super) fn collapsed(b: &mut Builder<'_>, data: &Tensor, groups: &[usize]) -> Tensor {
    if groups.iter().all(|&size| size == 1) {
        return data.clone();
    }
    let ctx = b.context();
    let mut axes = data.ty.shape.iter();
    let extents = groups.iter().map(|&size| axes.by_ref().take(size).map(|dim| dim.known()).product());
    let extents: Vec<Option<i64>> = extents.collect();
    let shape: Vec<i64> = extents.iter().map(|extent| extent.unwrap_or(DYNAMIC)).collect();
    let ty = Type::tensor(&ctx, &shape, scalar::element(&ctx, data.dtype()));
    let value = CollapseShape::build(b, data.value, reassociation(groups), ty).result(b.body());
    let dims = extents.into_iter().map(|extent| extent.map_or(Dim::Any, Dim::Known));
    Tensor { value, ty: TensorType::new(dims, data.dtype()) }
}

/// A tensor with the extents `wanted`, which it has at run time, in its type.
pub(super) fn cast_extents(b: &mut Builder<'_>, data: &Tensor, wanted: &[Extent]) -> Tensor {
    let (ty, _) = shaped(b, wanted, data.dtype());
    let value = match b.ty(data.value) == ty {
        true => data.value,
        false => Cast::build(b, data.value, ty).dest(b.body()),
    };
    tensor(value, wanted, data.dtype())
}

/// Consecutive numbers in groups of these sizes.
fn reassociation(groups: &[usize]) -> Vec<Array<i64>> {
    let mut next = 0;
    let group = |&size: &usize| {
        next += size as i64;
        (next - size as i64..next).collect()
    };
    groups.iter().map(group).collect()
}

/// A tensor of rank 0.
pub(super) fn number(b: &mut Builder<'_>, dtype: DType, value: Value) -> Tensor {
    let ctx = b.context();
    let ty = Type::tensor(&ctx, &[], scalar::element(&ctx, dtype));
    tensor(FromElements::build(b, &[value], ty).result(b.body()), &[], dtype)
}

/// The element of a tensor of rank 0.
pub(super) fn scalar(b: &mut Builder<'_>, tensor: Value) -> Value {
    let made = b.body().defining_op(tensor).map(|op| b.body().op(op)).filter(|op| op.is::<FromElements>());
    match made.and_then(|op| op.operands().next()) {
        Some(element) => element,
        None => extract(b, tensor, &[]),
    }
}

/// A tensor whose elements are computed from their indices.
pub(super) fn generate(
    b: &mut Builder<'_>,
    extents: &[Extent],
    dtype: DType,
    fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
) -> Tensor {
    if extents.is_empty() {
        let value = fill(b, &[]);
        return number(b, dtype, value);
    }
    let (ty, sizes) = shaped(b, extents, dtype);
    let made = Generate::with(b, ty, &sizes, fill);
    tensor(b.body().op(made.op()).result(0), extents, dtype)
}

/// The indexing expression of a dimension.
pub(super) fn dim(axis: usize) -> AffineExpr {
    AffineExpr::Dim(axis as u32)
}

/// The indexing expression `expr * factor + offset`.
pub(super) fn linear(expr: AffineExpr, factor: i64, offset: i64) -> AffineExpr {
    let scaled = AffineExpr::binary(AffineOp::Mul, expr, AffineExpr::Constant(factor));
    AffineExpr::binary(AffineOp::Add, scaled, AffineExpr::Constant(offset))
}

/// The sum of two indexing expressions.
pub(super) fn sum(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
    AffineExpr::binary(AffineOp::Add, lhs, rhs)
}

fn map(dims: usize, results: Vec<AffineExpr>) -> AffineMap {
    AffineMap { dims: dims as u32, symbols: 0, results: results.into() }
}

/// Computes a tensor point by point; each input has indexing expressions in the indices of the result.
pub(super) fn pointwise(
    b: &mut Builder<'_>,
    inputs: &[(&Tensor, Vec<AffineExpr>)],
    extents: &[Extent],
    dtype: DType,
    fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
) -> Tensor {
    if extents.is_empty() && inputs.iter().all(|(input, _)| input.ty.rank() == 0) {
        let elements: Vec<Value> = inputs.iter().map(|(input, _)| scalar(b, input.value)).collect();
        let value = fill(b, &elements);
        return number(b, dtype, value);
    }
    let rank = extents.len();
    let output = empty(b, extents, dtype);
    let values: Vec<Value> = inputs.iter().map(|(input, _)| input.value).collect();
    let mut maps: Vec<AffineMap> = inputs.iter().map(|(_, exprs)| map(rank, exprs.clone())).collect();
    maps.push(AffineMap::identity(rank as u32));
    let parallel = vec![IteratorType::Parallel; rank];
    let generic = Generic::with(b, &values, &[output.value], &maps, &parallel, |b, elements| {
        vec![fill(b, &elements[..inputs.len()])]
    });
    Tensor { value: b.body().op(generic.op()).result(0), ..output }
}

/// Rearranges the elements of a tensor by indexing expressions.
pub(super) fn moved(
    b: &mut Builder<'_>,
    input: &Tensor,
    exprs: Vec<AffineExpr>,
    extents: &[Extent],
) -> Tensor {
    pointwise(b, &[(input, exprs)], extents, input.ty.dtype, |_, elements| elements[0])
}

/// Outputs that are accumulated over the points of a domain.
pub(super) struct Accumulation<'t> {
    /// The inputs with their indexing expressions; each dimension of the domain is an index of one of them.
    pub(super) inputs: Vec<(&'t Tensor, Vec<AffineExpr>)>,
    /// For each dimension of the domain: whether it is reduced.
    pub(super) reduced: Vec<bool>,
    /// The extents of the outputs, and their indexing expressions.
    pub(super) output: (Vec<Extent>, Vec<AffineExpr>),
}

impl Accumulation<'_> {
    /// Asserts that the domain indexes every operand in bounds. `name` is the name of the operator.
    pub(super) fn check(&self, b: &mut Builder<'_>, name: &str) {
        let mut operands: Vec<(Vec<Extent>, &[AffineExpr])> = Vec::new();
        for (input, exprs) in &self.inputs {
            operands.push((extents(b, input), exprs));
        }
        operands.push((self.output.0.clone(), &self.output.1));
        let mut domain: Vec<Option<Extent>> = vec![None; self.reduced.len()];
        for (index, (extents, exprs)) in operands.iter().enumerate() {
            for (axis, (&extent, expr)) in extents.iter().zip(*exprs).enumerate() {
                let AffineExpr::Dim(at) = expr else { continue };
                let known = &mut domain[*at as usize];
                *known = Some(match *known {
                    None => extent,
                    Some(first) => first.expect(b, extent, || {
                        format!(
                            "{name}: axis {axis} of argument {} has an extent that does not fit: expected {{}}, found {{}}",
                            index + 1
                        )
                    }),
                });
            }
        }
        for (index, (extents, exprs)) in operands.iter().enumerate() {
            for (axis, (&extent, expr)) in extents.iter().zip(*exprs).enumerate() {
                if matches!(expr, AffineExpr::Dim(_)) {
                    continue;
                }
                let last = last_index(b, expr, &domain);
                let needed = last.plus(b, Extent::Known(1));
                needed.expect_at_most(b, extent, || {
                    format!(
                        "{name}: axis {axis} of argument {} is too short: expected at least {{}}, found {{}}",
                        index + 1
                    )
                });
            }
        }
    }

    /// Accumulates: `inits` are the elements that the outputs begin with; `fill` computes the next ones from the
    /// elements of the inputs and of the outputs.
    pub(super) fn run(
        &self,
        b: &mut Builder<'_>,
        inits: &[(DType, Value)],
        fill: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
    ) -> Vec<Tensor> {
        let dims = self.reduced.len();
        let (extents, exprs) = &self.output;
        let outputs: Vec<Tensor> =
            inits.iter().map(|&(dtype, init)| filled(b, extents, dtype, init)).collect();
        let values: Vec<Value> = self.inputs.iter().map(|(input, _)| input.value).collect();
        let targets: Vec<Value> = outputs.iter().map(|output| output.value).collect();
        let mut maps: Vec<AffineMap> =
            self.inputs.iter().map(|(_, exprs)| map(dims, exprs.clone())).collect();
        maps.extend(outputs.iter().map(|_| map(dims, exprs.clone())));
        let kinds = self.reduced.iter().map(|&reduced| match reduced {
            true => IteratorType::Reduction,
            false => IteratorType::Parallel,
        });
        let kinds: Vec<IteratorType> = kinds.collect();
        let generic = Generic::with(b, &values, &targets, &maps, &kinds, |b, elements| {
            let (inputs, outputs) = elements.split_at(values.len());
            fill(b, inputs, outputs)
        });
        let results = b.body().op(generic.op()).results();
        outputs.into_iter().zip(results).map(|(output, value)| Tensor { value, ..output }).collect()
    }
}

/// The largest value of an index expression that grows with each dimension of a domain of those extents.
fn last_index(b: &mut Builder<'_>, expr: &AffineExpr, domain: &[Option<Extent>]) -> Extent {
    match expr {
        AffineExpr::Dim(at) => match domain[*at as usize] {
            Some(extent) => extent.plus(b, Extent::Known(-1)),
            None => Extent::Known(0),
        },
        AffineExpr::Constant(value) => Extent::Known(*value),
        AffineExpr::Symbol(_) => Extent::Known(0),
        AffineExpr::Binary(op, lhs, rhs) => {
            let (lhs, rhs) = (last_index(b, lhs, domain), last_index(b, rhs, domain));
            match op {
                AffineOp::Add => lhs.plus(b, rhs),
                AffineOp::Mul => lhs.times(b, rhs),
                _ => lhs.divided_by(b, rhs),
            }
        }
    }
}

/// The next carried values from the indices and the carried ones.
type Step<'f> = dyn FnMut(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value> + 'f;

/// Creates a nest of loops with loop-carried values.
pub(super) fn nest(b: &mut Builder<'_>, sizes: &[Extent], init: &[Value], fill: &mut Step<'_>) -> Vec<Value> {
    fn level(
        b: &mut Builder<'_>,
        sizes: &[Extent],
        indices: &mut Vec<Value>,
        init: &[Value],
        fill: &mut Step<'_>,
    ) -> Vec<Value> {
        let Some((size, rest)) = sizes.split_first() else { return fill(b, indices, init) };
        let (from, size, step) = (arith::constant_index(b, 0), size.value(b), arith::constant_index(b, 1));
        let done = For::with(b, [from, size, step], init, |b, index, carried| {
            indices.push(index);
            let next = level(b, rest, indices, carried, fill);
            indices.pop();
            next
        });
        b.body().op(done.op()).results().collect()
    }
    level(b, sizes, &mut Vec::new(), init, fill)
}

/// Clamps an index to `[0, extent)`.
pub(super) fn clamped(b: &mut Builder<'_>, index: Value, extent: Extent) -> Value {
    let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
    let extent = extent.value(b);
    let last = arith::subi(b, extent, one);
    let index = arith::minsi(b, index, last);
    arith::maxsi(b, index, zero)
}

/// Whether `0 <= index < extent`.
pub(super) fn inside(b: &mut Builder<'_>, index: Value, extent: Extent) -> Value {
    let extent = extent.value(b);
    // As an unsigned number, a negative index is larger than any extent.
    arith::cmpi(b, CmpIPredicate::Ult, index, extent)
}

/// The row-major number of the element at given indices.
pub(super) fn position(b: &mut Builder<'_>, indices: &[Value], extents: &[Extent]) -> Value {
    let mut position = arith::constant_index(b, 0);
    for (at, (&index, extent)) in indices.iter().zip(extents).enumerate() {
        if at == 0 {
            position = index;
            continue;
        }
        let extent = extent.value(b);
        let scaled = arith::muli(b, position, extent);
        position = arith::addi(b, scaled, index);
    }
    position
}

/// The indices of the element with a row-major number.
pub(super) fn indices_at(b: &mut Builder<'_>, position: Value, extents: &[Extent]) -> Vec<Value> {
    let mut rest = position;
    let mut indices = vec![position; extents.len()];
    for (at, extent) in extents.iter().enumerate().skip(1).rev() {
        let extent = extent.value(b);
        indices[at] = arith::remui(b, rest, extent);
        rest = arith::divui(b, rest, extent);
    }
    if let Some(first) = indices.first_mut() {
        *first = rest;
    }
    indices
}
