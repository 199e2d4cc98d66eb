//! Random operations: maps over values in known ranges, accesses in bounds, and loops with a small trip count.

use crate::index::Element;
use crate::value_map::ValueMap;
use crate::{DelinearizeIndex, For, If, LinearizeIndex, Parallel, Yield};
use minoan_arith::AtomicKind;
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp, IntegerSet};
use minoan_ir::strided::Strided;
use minoan_ir::{
    Attr, AttrEnum, Builder, Context, DYNAMIC, Op, OpDef, OpKind, OpState, Type, TypeData, Value,
};
use minoan_services::{Generate, Inside, Maker, OPEN_EXTENT};
use std::ops::Range;

/// Upper bound on the trip count of a loop.
const ROUNDS: usize = 4;

/// Values of dimensions and symbols are in this range, so that sums and products of a few do not overflow.
const OPERANDS: Range<i64> = 0..6;

/// A random expression; divisors are positive constants.
fn expr(maker: &mut dyn Maker, dims: u32, symbols: u32, depth: usize) -> AffineExpr {
    let leaf = |maker: &mut dyn Maker| match maker.below(3) {
        0 if dims > 0 => AffineExpr::Dim(maker.below(dims as usize) as u32),
        1 if symbols > 0 => AffineExpr::Symbol(maker.below(symbols as usize) as u32),
        _ => AffineExpr::Constant(maker.below(9) as i64 - 3),
    };
    if depth == 0 {
        return leaf(maker);
    }
    let lhs = expr(maker, dims, symbols, depth - 1);
    let (op, rhs) = match maker.below(6) {
        0 => return leaf(maker),
        1 => (AffineOp::Mul, AffineExpr::Constant(maker.below(5) as i64 - 2)),
        2 => (AffineOp::Mod, AffineExpr::Constant(1 + maker.below(4) as i64)),
        3 => (AffineOp::FloorDiv, AffineExpr::Constant(1 + maker.below(4) as i64)),
        4 => (AffineOp::CeilDiv, AffineExpr::Constant(1 + maker.below(4) as i64)),
        _ => (AffineOp::Add, expr(maker, dims, symbols, depth - 1)),
    };
    AffineExpr::simplified(op, lhs, rhs)
}

/// Random operands of a map, in a range: dimensions, then symbols. Symbols are constants, which are valid symbols everywhere.
fn operands(
    b: &mut Builder<'_>,
    maker: &mut dyn Maker,
    range: Range<i64>,
) -> Option<(Vec<Value>, Vec<Value>)> {
    let (n_dims, n_symbols) = (maker.below(3), maker.below(2));
    let mut dims = Vec::new();
    for _ in 0..n_dims {
        dims.extend(dim_in(b, maker, range.clone()));
    }
    let symbols =
        (0..n_symbols).map(|_| constant_in(b, maker, range.clone())).collect::<Option<Vec<Value>>>()?;
    Some((dims, symbols))
}

fn constant_in(b: &mut Builder<'_>, maker: &mut dyn Maker, range: Range<i64>) -> Option<Value> {
    let number = range.start + maker.below((range.end - range.start) as usize) as i64;
    maker.number(b, number, Type::INDEX)
}

/// A value in a range that may be a dimension here, if the random one may.
fn dim_in(b: &mut Builder<'_>, maker: &mut dyn Maker, range: Range<i64>) -> Option<Value> {
    let value = maker.index_in(b, range)?;
    crate::scope::is_any_dim(b.body(), value).then_some(value)
}

/// A random map with `results` results, and random operands.
fn values(b: &mut Builder<'_>, maker: &mut dyn Maker, results: usize) -> Option<ValueMap> {
    let (dims, symbols) = operands(b, maker, OPERANDS)?;
    let (n_dims, n_symbols) = (dims.len() as u32, symbols.len() as u32);
    let results = (0..results).map(|_| expr(maker, n_dims, n_symbols, 2)).collect();
    let map = AffineMap { dims: n_dims, symbols: n_symbols, results };
    Some(ValueMap { map, operands: [dims, symbols].concat() })
}

/// Creates an operation with a map as its attribute.
fn with_map(b: &mut Builder<'_>, kind: OpKind, first: &[Value], values: &ValueMap, results: &[Type]) -> Op {
    let ctx = b.context();
    let props = b.dictionary(&[("map", Some(Attr::affine_map(&ctx, values.map.clone())))]);
    b.create(OpState::new(kind).operands(first).operands(&values.operands).results(results).props(props))
}

/// `affine.apply`, and extrema of several results.
pub(crate) struct AnyApply;

impl Generate for AnyApply {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        3
    }

    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let results = if kind == b.context().kind_of::<crate::Apply>() { 1 } else { 1 + maker.below(3) };
        let values = values(b, maker, results)?;
        Some(with_map(b, kind, &[], &values, &[Type::INDEX]))
    }
}

/// The extents of a buffer at run time.
fn extents(ctx: &Context, ty: Type) -> Option<Vec<i64>> {
    let TypeData::MemRef { shape, .. } = ty.data(ctx) else { return None };
    Some(shape.iter().map(|&extent| if extent == DYNAMIC { OPEN_EXTENT } else { extent }).collect())
}

/// A buffer, and a map to indices in bounds, at most `margin` before the end of the last dimension. With a margin, the last
/// dimension has stride 1, as accesses to vectors require.
fn place(b: &mut Builder<'_>, maker: &mut dyn Maker, margin: i64) -> Option<(Value, Type, ValueMap)> {
    let ctx = b.context();
    let fits = |ty: Type| {
        let is_dense = Strided::of(&ctx, ty).is_some_and(|layout| layout.strides.last() == Some(&1));
        extents(&ctx, ty).is_some_and(|extents| {
            margin == 0 || is_dense && extents.last().is_some_and(|&last| last > margin)
        })
    };
    let buffer = maker.existing(b, &fits)?;
    let ty = b.ty(buffer);
    let extents = extents(&ctx, ty)?;
    let (mut dims, mut results) = (Vec::new(), Vec::new());
    for (dim, &extent) in extents.iter().enumerate() {
        let end = if dim + 1 == extents.len() { extent - margin } else { extent };
        match dim_in(b, maker, OPERANDS).filter(|_| maker.below(3) > 0) {
            // Any index is in bounds modulo the extent.
            Some(value) => {
                let at = dims.iter().position(|&known| known == value).unwrap_or_else(|| {
                    dims.push(value);
                    dims.len() - 1
                });
                let index = AffineExpr::Dim(at as u32);
                let index = crate::value_map::plus(index, maker.below(3) as i64);
                results.push(AffineExpr::simplified(AffineOp::Mod, index, AffineExpr::Constant(end)));
            }
            None => results.push(AffineExpr::Constant(maker.below(end as usize) as i64)),
        }
    }
    let map = AffineMap { dims: dims.len() as u32, symbols: 0, results: results.into() };
    Some((buffer, ty, ValueMap { map, operands: dims }))
}

pub(crate) struct AnyLoad;

impl Generate for AnyLoad {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        4
    }

    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (buffer, ty, values) = place(b, maker, 0)?;
        let element = ty.element_or_self(&b.context());
        Some(with_map(b, kind, &[buffer], &values, &[element]))
    }
}

pub(crate) struct AnyStore;

impl Generate for AnyStore {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        4
    }

    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (buffer, ty, values) = place(b, maker, 0)?;
        let value = maker.value(b, ty.element_or_self(&b.context()))?;
        Some(with_map(b, kind, &[value, buffer], &values, &[]))
    }
}

/// The type of vectors of two elements of a buffer.
fn pair_of(ctx: &Context, ty: Type) -> Type {
    Type::vector(ctx, &[2], ty.element_or_self(ctx))
}

pub(crate) struct AnyVectorLoad;

impl Generate for AnyVectorLoad {
    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (buffer, ty, values) = place(b, maker, 1)?;
        let vector = pair_of(&b.context(), ty);
        Some(with_map(b, kind, &[buffer], &values, &[vector]))
    }
}

pub(crate) struct AnyVectorStore;

impl Generate for AnyVectorStore {
    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (buffer, ty, values) = place(b, maker, 1)?;
        let vector = pair_of(&b.context(), ty);
        let value = maker.existing(b, &|ty| ty == vector)?;
        Some(with_map(b, kind, &[value, buffer], &values, &[]))
    }
}

/// A random number as a bound: a constant, or the extremum of it and of results that do not change it much.
fn bound(b: &mut Builder<'_>, maker: &mut dyn Maker, number: i64) -> ValueMap {
    let dims: Vec<Value> =
        if maker.below(2) == 0 { dim_in(b, maker, 0..3).into_iter().collect() } else { Vec::new() };
    let mut results = vec![AffineExpr::Constant(number)];
    if !dims.is_empty() {
        results.push(crate::value_map::plus(AffineExpr::Dim(0), number));
    }
    let map = AffineMap { dims: dims.len() as u32, symbols: 0, results: results.into() };
    ValueMap { map, operands: dims }
}

pub(crate) struct AnyFor;

impl Generate for AnyFor {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        3
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let step = 1 + maker.below(3) as i64;
        let lower = maker.below(3) as i64 - i64::from(maker.below(4) == 0);
        let rounds = maker.below(ROUNDS + 1) as i64;
        let upper = lower + rounds * step - maker.below(step as usize) as i64;
        let bounds = [bound(b, maker, lower), bound(b, maker, upper)];
        let carried = maker.types(b, 3);
        let init = carried.iter().map(|&ty| maker.value(b, ty)).collect::<Option<Vec<Value>>>()?;
        let range = lower..upper.max(lower + 1);
        let made = For::with(b, bounds, step, &init, |b, index, values| {
            let args = [&[index], values].concat();
            let ranges = [(index, range)];
            let inside =
                Inside { args: &args, ranges: &ranges, gives: &carried, times: ROUNDS, ..Inside::ONCE };
            maker.inside(b, &inside)
        });
        Some(made.op())
    }
}

pub(crate) struct AnyIf;

impl Generate for AnyIf {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        3
    }

    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let results = 1 + maker.below(2);
        let values = values(b, maker, results)?;
        let constraints = values.map.results.iter().map(|expr| (expr.clone(), maker.below(3) == 0)).collect();
        let set = IntegerSet { dims: values.map.dims, symbols: values.map.symbols, constraints };
        let gives = maker.types(b, 2);
        let ctx = b.context();
        let props = b.dictionary(&[("condition", Some(Attr::integer_set(&ctx, set)))]);
        let state = OpState::new(kind).operands(&values.operands).results(&gives).props(props);
        let op = b.create(state.regions(2));
        let regions = if gives.is_empty() && maker.below(2) == 0 { 1 } else { 2 };
        for region in 0..regions {
            b.region(op, region, &[], |b, _| {
                let values = maker.inside(b, &Inside { gives: &gives, ..Inside::ONCE });
                Yield::build(b, &values);
            });
        }
        Some(If::from_op_unchecked(op).op())
    }
}

pub(crate) struct AnyParallel;

impl Generate for AnyParallel {
    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let (count, step) = (1 + maker.below(2), 1 + maker.below(2) as i64);
        let ends: Vec<i64> = (0..count).map(|_| maker.below(3) as i64).collect();
        let reduces = maker.below(2) == 0;
        let (types, kinds) = match reduces {
            true => (
                vec![Type::I32],
                vec![[AtomicKind::AddI, AtomicKind::MulI, AtomicKind::AndI][maker.below(3)]],
            ),
            false => (Vec::new(), Vec::new()),
        };
        let map = |numbers: &[i64]| {
            let results = numbers.iter().map(|&number| AffineExpr::Constant(number)).collect();
            Some(Attr::affine_map(&ctx, AffineMap { dims: 0, symbols: 0, results }))
        };
        let array = |numbers: Vec<i64>| {
            let numbers: Vec<Attr> = numbers.into_iter().map(|number| Attr::i64(&ctx, number)).collect();
            Some(Attr::array(&ctx, &numbers))
        };
        let groups = Some(crate::loops::groups_attr(&ctx, &vec![1; count]));
        let props = b.dictionary(&[
            ("lowerBoundsMap", map(&vec![0; count])),
            ("upperBoundsMap", map(&ends)),
            ("lowerBoundsGroups", groups),
            ("upperBoundsGroups", groups),
            ("steps", array(vec![step; count])),
            ("reductions", array(kinds.iter().map(|kind| kind.value()).collect())),
        ]);
        let op = b.create(OpState::new(kind).results(&types).props(props).regions(1));
        b.region(op, 0, &vec![Type::INDEX; count], |b, args| {
            let ranges: Vec<(Value, Range<i64>)> =
                args.iter().zip(&ends).map(|(&arg, &end)| (arg, 0..end.max(1))).collect();
            let inside = Inside {
                args,
                ranges: &ranges,
                gives: &types,
                times: ROUNDS,
                effects: false,
                ..Inside::ONCE
            };
            let values = maker.inside(b, &inside);
            Yield::build(b, &values);
        });
        Some(Parallel::from_op_unchecked(op).op())
    }
}

/// Random elements of a basis.
fn basis(b: &mut Builder<'_>, maker: &mut dyn Maker, count: usize) -> Option<Vec<Option<Element>>> {
    let mut elements = Vec::new();
    for at in 0..count {
        elements.push(match maker.below(3) {
            0 if at == 0 => None,
            1 => Some(Element::Value(maker.index_in(b, 1..4)?)),
            _ => Some(Element::Number(1 + maker.below(4) as i64)),
        });
    }
    Some(elements)
}

pub(crate) struct AnyDelinearize;

impl Generate for AnyDelinearize {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let index = maker.index_in(b, 0..24)?;
        let count = 1 + maker.below(3);
        let basis = basis(b, maker, count)?;
        let digits = DelinearizeIndex::with(b, index, &basis);
        b.body().defining_op(*digits.first()?)
    }
}

pub(crate) struct AnyLinearize;

impl Generate for AnyLinearize {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let count = 1 + maker.below(3);
        let digits = (0..count).map(|_| maker.index_in(b, 0..4)).collect::<Option<Vec<Value>>>()?;
        let basis = basis(b, maker, count)?;
        let number = LinearizeIndex::with(b, &digits, &basis, maker.below(3) == 0);
        b.body().defining_op(number)
    }
}
