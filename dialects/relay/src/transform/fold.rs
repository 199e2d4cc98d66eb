//! Evaluation of operators on constants: exact arithmetic, and movement of elements.
//!
//! Functions whose results depend on the library of the machine, such as `exp`, are left to the program.

use super::attrs;
use super::number::{self, Number};
use crate::attrs::Attrs;
use crate::dialect::{Get, MakeTuple, from_ir, operator_of};
use crate::layout::Layout;
use crate::lower::from_front;
use crate::ty::{DType, Type};
use minoan_ir::{Attr, AttrData, Context, OpRef, Type as IrType, Value};
use minoan_services::{Fold, FoldResult, Folded, constant_of};

pub(crate) struct FoldConstants;

impl Fold for FoldConstants {
    fn fold(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
        if op.is::<Get>() {
            return component(op).map(FoldResult::Value).into();
        }
        evaluate(op, operands).map(FoldResult::Constant).into()
    }
}

/// The component of a tuple that is created in the function.
fn component(op: OpRef<'_>) -> Option<Value> {
    let body = op.body();
    let tuple = body.op(body.defining_op(op.operand(0))?);
    let index = op.attr_named("index")?.as_i64(op.context())?;
    if !tuple.is::<MakeTuple>() {
        return None;
    }
    tuple.operands().nth(usize::try_from(index).ok()?)
}

/// The elements of a constant.
pub(super) struct Dense<'a> {
    pub(super) shape: Vec<usize>,
    pub(super) dtype: DType,
    /// One element if all are equal.
    data: &'a [u8],
    splat: bool,
    /// The size of an element in bytes.
    size: usize,
}

impl<'a> Dense<'a> {
    pub(super) fn of(ctx: &'a Context, attr: Attr) -> Option<Self> {
        let AttrData::DenseElements { ty, data, splat } = attr.data(ctx) else { return None };
        let (shape, dtype) = tensor(ctx, *ty)?;
        let count = if *splat { 1 } else { shape.iter().product() };
        let size = data.len().checked_div(count).unwrap_or_else(|| number::size(dtype));
        (size > 0 && size * count == data.len()).then_some(Self { shape, dtype, data, splat: *splat, size })
    }

    /// The distances of elements along the axes of a result that this is broadcast to.
    fn strides(&self, rank: usize) -> Vec<usize> {
        let mut strides = vec![0; rank];
        let (mut stride, lacking) = (1, rank.saturating_sub(self.shape.len()));
        for (axis, &extent) in self.shape.iter().enumerate().rev() {
            if extent != 1 && !self.splat {
                strides[axis + lacking] = stride;
            }
            stride *= extent;
        }
        strides
    }

    fn at(&self, index: usize) -> &'a [u8] {
        &self.data[index * self.size..(index + 1) * self.size]
    }

    /// The elements, if they are floats of 32 or 64 bits.
    pub(super) fn floats(&self) -> Option<Vec<f64>> {
        let own: Vec<f64> = match self.dtype {
            DType::Float(32) => self.data.chunks_exact(4).map(|bytes| f64::from(f32_of(bytes))).collect(),
            DType::Float(64) => self.data.chunks_exact(8).map(f64_of).collect(),
            _ => return None,
        };
        Some(if self.splat { own.repeat(self.shape.iter().product()) } else { own })
    }
}

fn tensor(ctx: &Context, ty: IrType) -> Option<(Vec<usize>, DType)> {
    let Type::Tensor(ty) = from_ir(ctx, ty) else { return None };
    let extent = |dim: &crate::ty::Dim| usize::try_from(dim.known()?).ok();
    Some((ty.shape.iter().map(extent).collect::<Option<_>>()?, ty.dtype))
}

/// The constant of a type with these elements.
pub(super) fn made(ctx: &Context, ty: IrType, data: Vec<u8>, size: usize) -> Attr {
    let equal = !data.is_empty() && data.chunks(size).all(|one| one == &data[..size]);
    let data = if equal { data[..size].into() } else { data.into() };
    ctx.intern_attr(AttrData::DenseElements { ty, data, splat: equal })
}

/// Visits the indices of a shape in order, with the positions in operands of these strides.
fn each_index(shape: &[usize], strides: &[&[usize]], mut visit: impl FnMut(&[usize])) {
    if shape.contains(&0) {
        return;
    }
    let (mut index, mut at) = (vec![0; shape.len()], vec![0; strides.len()]);
    loop {
        visit(&at);
        let mut axis = shape.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            index[axis] += 1;
            at.iter_mut().zip(strides).for_each(|(at, strides)| *at += strides[axis]);
            if index[axis] < shape[axis] {
                break;
            }
            index[axis] = 0;
            at.iter_mut().zip(strides).for_each(|(at, strides)| *at -= strides[axis] * shape[axis]);
        }
    }
}

fn evaluate(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Attr> {
    let (ctx, operator) = (op.context(), operator_of(op)?);
    let ty = op.result_types().next()?;
    let (shape, dtype) = tensor(ctx, ty)?;
    let constant = |index: usize| Dense::of(ctx, (*operands.get(index)?)?);
    if operator.facts.view {
        constant(0).filter(|data| data.dtype == dtype)?;
        let AttrData::DenseElements { data, splat, .. } = operands[0]?.data(ctx) else { return None };
        return Some(ctx.intern_attr(AttrData::DenseElements { ty, data: data.clone(), splat: *splat }));
    }
    let moved = match operator.name {
        "shape_of" | "ndarray_size" => return extents(op, operator.name, dtype, ty),
        "transpose" => {
            let data = constant(0)?;
            let given = attrs(op)?.ints("axes").filter(|axes| !axes.is_empty());
            let reversed = || (0..data.shape.len()).rev().collect();
            let axes: Vec<usize> = given.map_or_else(reversed, |axes| {
                axes.into_iter().map(|axis| from_front(axis, data.shape.len())).collect()
            });
            permuted(ctx, &data, &axes, &shape, ty)
        }
        "layout_transform" => {
            let (data, attrs) = (constant(0)?, attrs(op)?);
            let layout = |name: &str| Layout::parse(attrs.text(name)?);
            let (from, to) = (layout("src_layout")?, layout("dst_layout")?);
            let plain = |layout: &Layout| layout.axes().all(|(_, inner)| inner.is_none());
            let axes: Option<Vec<usize>> = to.axes().map(|(letter, _)| from.position(letter)).collect();
            let axes = axes.filter(|_| plain(&from) && plain(&to) && from.rank() == to.rank())?;
            permuted(ctx, &data, &axes, &shape, ty)
        }
        "concatenate" => concatenated(op, &attrs(op)?, &shape, ty),
        "add" | "subtract" | "multiply" | "divide" => {
            let (lhs, rhs) = (constant(0)?, constant(1)?);
            arithmetic(ctx, operator.name, (&lhs, &rhs), &shape, ty)
        }
        "sqrt" | "negative" => {
            let data = constant(0)?;
            let data_out = match (data.dtype, operator.name) {
                (DType::Float(32), "sqrt") => floats32(&data, f32::sqrt),
                (DType::Float(32), _) => floats32(&data, |value| -value),
                (DType::Float(64), "sqrt") => floats64(&data, f64::sqrt),
                (DType::Float(64), _) => floats64(&data, |value| -value),
                _ => return by_element(operator.name, operands, ctx, (&shape, dtype), ty),
            };
            let splat = data.splat;
            Some(ctx.intern_attr(AttrData::DenseElements { ty, data: data_out.into(), splat }))
        }
        _ => None,
    };
    moved.or_else(|| by_element(operator.name, operands, ctx, (&shape, dtype), ty))
}

/// The shape of an operand of static extents, or the number of its elements.
fn extents(op: OpRef<'_>, operator: &str, dtype: DType, ty: IrType) -> Option<Attr> {
    let ctx = op.context();
    let (mut extents, _) = tensor(ctx, op.operand_types().next()?)?;
    if operator == "ndarray_size" {
        extents = vec![extents.iter().product()];
    }
    let size = number::size(dtype);
    let mut out = Vec::with_capacity(extents.len() * size);
    for extent in extents {
        let value = Number::Int(i128::try_from(extent).ok()?).cast(dtype)?;
        out.extend_from_slice(&value.bits(dtype)?.to_le_bytes()[..size]);
    }
    Some(made(ctx, ty, out, size))
}

/// Evaluates an operator element by element.
fn by_element(
    operator: &str,
    operands: &[Option<Attr>],
    ctx: &Context,
    (shape, dtype): (&[usize], DType),
    ty: IrType,
) -> Option<Attr> {
    let size = number::size(dtype);
    let constant = |index: usize| Dense::of(ctx, (*operands.get(index)?)?);
    if number::BINARY.contains(&operator) {
        let (lhs, rhs) = (constant(0)?, constant(1)?);
        if lhs.dtype != rhs.dtype || lhs.shape.len().max(rhs.shape.len()) != shape.len() {
            return None;
        }
        let (left, right) = (lhs.strides(shape.len()), rhs.strides(shape.len()));
        let mut out = Vec::new();
        let mut complete = true;
        each_index(shape, &[&left, &right], |at| {
            let read = |dense: &Dense<'_>, at: usize| Number::read(dense.dtype, dense.at(at));
            let value = || {
                let (a, b) = (read(&lhs, at[0])?, read(&rhs, at[1])?);
                number::binary(operator, lhs.dtype, a, b)?.bits(dtype)
            };
            match value() {
                Some(bits) if complete => out.extend_from_slice(&bits.to_le_bytes()[..size]),
                _ => complete = false,
            }
        });
        return complete.then(|| made(ctx, ty, out, size));
    }
    let data = constant(0).filter(|_| operator == "cast" || number::unary(operator, dtype).is_some())?;
    let map = |bytes: &[u8]| {
        let value = Number::read(data.dtype, bytes)?;
        let value = match (number::unary(operator, data.dtype), value) {
            (Some(map), Number::Int(value)) => Number::Int(map(value)),
            (Some(_), Number::Float(..)) => return None,
            (None, value) => value.cast(dtype)?,
        };
        value.bits(dtype)
    };
    let mut out = Vec::with_capacity(data.data.len() / data.size * size);
    for bytes in data.data.chunks_exact(data.size) {
        out.extend_from_slice(&map(bytes)?.to_le_bytes()[..size]);
    }
    Some(ctx.intern_attr(AttrData::DenseElements { ty, data: out.into(), splat: data.splat }))
}

fn f32_of(bytes: &[u8]) -> f32 {
    f32::from_le_bytes(bytes.try_into().unwrap_or_default())
}

fn f64_of(bytes: &[u8]) -> f64 {
    f64::from_le_bytes(bytes.try_into().unwrap_or_default())
}

fn floats32(data: &Dense<'_>, map: impl Fn(f32) -> f32) -> Vec<u8> {
    data.data.chunks_exact(4).flat_map(|bytes| map(f32_of(bytes)).to_le_bytes()).collect()
}

fn floats64(data: &Dense<'_>, map: impl Fn(f64) -> f64) -> Vec<u8> {
    data.data.chunks_exact(8).flat_map(|bytes| map(f64_of(bytes)).to_le_bytes()).collect()
}

/// The data with axis `axes[i]` as axis `i`.
fn permuted(ctx: &Context, data: &Dense<'_>, axes: &[usize], shape: &[usize], ty: IrType) -> Option<Attr> {
    if axes.len() != shape.len() || axes.len() != data.shape.len() {
        return None;
    }
    let own = data.strides(data.shape.len());
    let strides: Vec<usize> = axes.iter().map(|&axis| own.get(axis).copied()).collect::<Option<_>>()?;
    let mut out = Vec::with_capacity(shape.iter().product::<usize>() * data.size);
    each_index(shape, &[&strides], |at| out.extend_from_slice(data.at(at[0])));
    Some(made(ctx, ty, out, data.size))
}

fn concatenated(op: OpRef<'_>, attrs: &Attrs, shape: &[usize], ty: IrType) -> Option<Attr> {
    let (ctx, body) = (op.context(), op.body());
    let tuple = body.op(body.defining_op(op.operand(0))?);
    if !tuple.is::<MakeTuple>() {
        return None;
    }
    let parts = tuple.operands().map(|part| Dense::of(ctx, constant_of(body, part)?));
    let parts: Vec<Dense<'_>> = parts.collect::<Option<_>>()?;
    let size = parts.first()?.size;
    let axis = from_front(attrs.int("axis").unwrap_or(0), shape.len());
    let outer: usize = shape[..axis].iter().product();
    let mut out = Vec::with_capacity(shape.iter().product::<usize>() * size);
    for row in 0..outer {
        for part in &parts {
            let count: usize = part.shape[axis..].iter().product();
            for at in row * count..(row + 1) * count {
                out.extend_from_slice(part.at(if part.splat { 0 } else { at }));
            }
        }
    }
    Some(made(ctx, ty, out, size))
}

fn arithmetic(
    ctx: &Context,
    name: &str,
    (lhs, rhs): (&Dense<'_>, &Dense<'_>),
    shape: &[usize],
    ty: IrType,
) -> Option<Attr> {
    if lhs.dtype != rhs.dtype || lhs.shape.len().max(rhs.shape.len()) != shape.len() {
        return None;
    }
    let (left, right) = (lhs.strides(shape.len()), rhs.strides(shape.len()));
    let mut out = Vec::with_capacity(shape.iter().product::<usize>() * lhs.size);
    let strides: [&[usize]; 2] = [&left, &right];
    match lhs.dtype {
        DType::Float(32) => {
            let apply: fn(f32, f32) -> f32 = match name {
                "add" => |a, b| a + b,
                "subtract" => |a, b| a - b,
                "multiply" => |a, b| a * b,
                _ => |a, b| a / b,
            };
            each_index(shape, &strides, |at| {
                out.extend(apply(f32_of(lhs.at(at[0])), f32_of(rhs.at(at[1]))).to_le_bytes());
            });
        }
        DType::Float(64) => {
            let apply: fn(f64, f64) -> f64 = match name {
                "add" => |a, b| a + b,
                "subtract" => |a, b| a - b,
                "multiply" => |a, b| a * b,
                _ => |a, b| a / b,
            };
            each_index(shape, &strides, |at| {
                out.extend(apply(f64_of(lhs.at(at[0])), f64_of(rhs.at(at[1]))).to_le_bytes());
            });
        }
        DType::Int(8 | 16 | 32 | 64) | DType::UInt(8 | 16 | 32 | 64) if name != "divide" => {
            // The low bytes do not depend on the signs.
            let value = |bytes: &[u8]| {
                let mut wide = [0; 8];
                wide[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(wide)
            };
            let apply: fn(u64, u64) -> u64 = match name {
                "add" => u64::wrapping_add,
                "subtract" => u64::wrapping_sub,
                _ => u64::wrapping_mul,
            };
            each_index(shape, &strides, |at| {
                let result = apply(value(lhs.at(at[0])), value(rhs.at(at[1])));
                out.extend_from_slice(&result.to_le_bytes()[..lhs.size]);
            });
        }
        _ => return None,
    }
    Some(made(ctx, ty, out, lhs.size))
}

/// The integers of a constant tensor of rank 0 or 1.
pub(super) fn integers(ctx: &Context, attr: Attr) -> Option<Vec<i64>> {
    let data = Dense::of(ctx, attr)?;
    let count = data.shape.iter().product();
    let each = (0..count).map(|at| {
        let bytes = data.at(if data.splat { 0 } else { at });
        match data.dtype {
            DType::Int(32) => Some(i32::from_le_bytes(bytes.try_into().ok()?).into()),
            DType::Int(64) => Some(i64::from_le_bytes(bytes.try_into().ok()?)),
            _ => None,
        }
    });
    each.collect()
}

/// The common value of the elements of a constant.
pub(super) fn common_value(ctx: &Context, attr: Attr) -> Option<Number> {
    let data = Dense::of(ctx, attr).filter(|data| data.splat)?;
    Number::read(data.dtype, data.at(0))
}
