//! Creation of assertions and of the arithmetic of their conditions.

use crate::RuntimeCondition as Condition;
use crate::RuntimeIndex as Index;
use crate::{AssertionOps, BufferOps, Extent, ExtentOf, IndexOps, LoopOps, TensorOps, constant_of};
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Builder, Context, DYNAMIC, Op, OpRef, ServiceTable, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

mod expect;

/// The most operations between a tensor and the origin of its extents that are looked through.
const MAX_PRODUCERS: usize = 32;

/// Creates assertions, and the arithmetic of their conditions, before an operation. Nothing is created for a condition that is
/// known to hold or that has been asserted.
pub struct RuntimeChecks<'a, 'b> {
    b: &'a mut Builder<'b>,
    makers: &'a RuntimeCheckMakers<'a>,
    created: &'a mut CreatedChecks,
}

/// The numbers, comparisons and assertions that [`RuntimeChecks`] has created in a block. Later operations of the block reuse them.
#[derive(Default)]
pub struct CreatedChecks {
    /// The extents of arrays by their origins.
    origins: RefCell<FxHashMap<(Value, usize), Index>>,
    /// Constants and extents.
    numbers: FxHashMap<Index, Value>,
    /// Comparisons.
    comparisons: FxHashMap<(Comparison, Index, Index), Value>,
    /// Conditions of assertions.
    asserted: FxHashSet<Value>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Comparison {
    Equal,
    Less,
    Below,
}

/// The services that create the operations of [`RuntimeChecks`].
pub struct RuntimeCheckMakers<'c> {
    ctx: &'c Context,
    index: &'c dyn IndexOps,
    loops: &'c dyn LoopOps,
    tensors: &'c dyn TensorOps,
    buffers: &'c dyn BufferOps,
    extents: Option<&'c ServiceTable<dyn ExtentOf>>,
    assertions: &'c dyn AssertionOps,
}

impl<'c> RuntimeCheckMakers<'c> {
    /// The services of the loaded dialects; `None` if one of them is not provided.
    pub fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            ctx,
            index: <dyn IndexOps>::any(ctx)?,
            loops: <dyn LoopOps>::any(ctx)?,
            tensors: <dyn TensorOps>::any(ctx)?,
            buffers: ctx.dialects().iter().find_map(|dialect| dialect.service::<dyn BufferOps>())?,
            extents: ctx.service_table(),
            assertions: <dyn AssertionOps>::any(ctx)?,
        })
    }
}

impl<'a, 'b> RuntimeChecks<'a, 'b> {
    /// Assertions at the insertion point of a builder; `created` is what has been created earlier in its block.
    pub fn new(
        b: &'a mut Builder<'b>,
        makers: &'a RuntimeCheckMakers<'a>,
        created: &'a mut CreatedChecks,
    ) -> Self {
        Self { b, makers, created }
    }

    /// The builder, for conditions that this type has no method for.
    pub fn builder(&mut self) -> &mut Builder<'b> {
        self.b
    }

    /// The context.
    pub fn context(&self) -> &'a Context {
        self.makers.ctx
    }

    /// An operation of the body.
    pub fn op(&self, op: Op) -> OpRef<'_> {
        self.b.body().op(op)
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.b.body().ty(value)
    }

    /// The number that a value of type `index` is.
    pub fn index(&self, value: Value) -> Index {
        match self.known(value) {
            Some(number) => Index::Constant(number),
            None => self.dimension(value).map_or(Index::Value(value), |(array, dim)| self.extent(array, dim)),
        }
    }

    fn known(&self, value: Value) -> Option<i64> {
        constant_of(self.b.body(), value)?.as_i64(self.context())
    }

    /// The array and the dimension whose extent a value is.
    fn dimension(&self, value: Value) -> Option<(Value, usize)> {
        let op = self.b.body().op(self.b.body().defining_op(value)?);
        self.makers.extents?.get(op.kind())?.dimension(op)
    }

    /// The numbers of a list in which [`DYNAMIC`] ones stand for the next of `values`.
    pub fn numbers(&self, list: &[i64], values: &mut impl Iterator<Item = Value>) -> Vec<Index> {
        let number = |&number: &i64| match number {
            DYNAMIC => values.next().map_or(Index::Constant(0), |value| self.index(value)),
            known => Index::Constant(known),
        };
        list.iter().map(number).collect()
    }

    /// The extent of a dimension of a tensor or a buffer.
    pub fn extent(&self, array: Value, dim: usize) -> Index {
        let origin = self.origin(array, dim);
        self.created.origins.borrow_mut().insert((array, dim), origin);
        origin
    }

    fn origin(&self, mut array: Value, mut dim: usize) -> Index {
        let (body, ctx) = (self.b.body(), self.context());
        let known = self.created.origins.borrow();
        for _ in 0..MAX_PRODUCERS {
            if let Some(&origin) = known.get(&(array, dim)) {
                return origin;
            }
            match body.ty(array).shape(ctx).and_then(|shape| shape.get(dim)) {
                Some(&extent) if extent != DYNAMIC => return Index::Constant(extent),
                _ => {}
            }
            match self.produced_extent(array, dim) {
                Some((_, Extent::Known(extent))) => return Index::Constant(extent),
                Some((op, Extent::Of { operand, dim: of })) => (array, dim) = (op.operand(operand), of),
                Some((_, Extent::Value(value))) => match (self.known(value), self.dimension(value)) {
                    (Some(number), _) => return Index::Constant(number),
                    (None, Some(origin)) => (array, dim) = origin,
                    (None, None) => return Index::Value(value),
                },
                None | Some((_, Extent::Plus { .. })) => break,
            }
        }
        Index::Extent(array, dim)
    }

    /// The producer of an array, and what it states about an extent.
    fn produced_extent(&self, array: Value, dim: usize) -> Option<(OpRef<'_>, Extent)> {
        let op = self.b.body().op(self.b.body().defining_op(array)?);
        let result = op.results().position(|result| result == array)?;
        Some((op, self.makers.extents?.get(op.kind())?.extent(op, result, dim)?))
    }

    /// The extents of all dimensions of a tensor or a buffer.
    pub fn extents(&self, array: Value) -> Vec<Index> {
        let rank = self.ty(array).rank(self.context()).unwrap_or(0);
        (0..rank).map(|dim| self.extent(array, dim)).collect()
    }

    /// The element of a tensor of integers, as an `index`.
    pub fn element(&mut self, tensor: Value, at: &[Index]) -> Index {
        let at: Vec<Value> = at.iter().map(|&at| self.value(at)).collect();
        let element = self.makers.tensors.extract(self.b, tensor, &at);
        Index::Value(self.makers.index.cast(self.b, element, Type::INDEX))
    }

    /// The number as a value.
    pub fn value(&mut self, index: Index) -> Value {
        if let Some(&value) = self.created.numbers.get(&index) {
            return value;
        }
        let value = match index {
            Index::Constant(number) => self.makers.index.index(self.b, number),
            Index::Extent(array, dim) if self.ty(array).is_tensor(self.context()) => {
                self.makers.tensors.extent(self.b, array, dim)
            }
            Index::Extent(array, dim) => self.makers.buffers.extent(self.b, array, dim),
            Index::Value(value) => return value,
        };
        self.created.numbers.insert(index, value);
        value
    }

    /// The sum, modulo the width of `index`.
    pub fn add(&mut self, lhs: Index, rhs: Index) -> Index {
        match (lhs, rhs) {
            (Index::Constant(0), other) | (other, Index::Constant(0)) => other,
            (Index::Constant(x), Index::Constant(y)) => Index::Constant(x.wrapping_add(y)),
            _ => self.create(lhs, rhs, |index, b, x, y| index.add(b, x, y)),
        }
    }

    /// The difference, modulo the width of `index`.
    pub fn sub(&mut self, lhs: Index, rhs: Index) -> Index {
        match (lhs, rhs) {
            (_, Index::Constant(0)) => lhs,
            (Index::Constant(x), Index::Constant(y)) => Index::Constant(x.wrapping_sub(y)),
            _ if lhs == rhs => Index::Constant(0),
            _ => self.create(lhs, rhs, |index, b, x, y| index.sub(b, x, y)),
        }
    }

    /// The product of several numbers, modulo the width of `index`.
    pub fn product(&mut self, numbers: &[Index]) -> Index {
        numbers.iter().fold(Index::Constant(1), |product, &number| self.mul(product, number))
    }

    /// The product, modulo the width of `index`.
    pub fn mul(&mut self, lhs: Index, rhs: Index) -> Index {
        match (lhs, rhs) {
            (Index::Constant(1), other) | (other, Index::Constant(1)) => other,
            (zero @ Index::Constant(0), _) | (_, zero @ Index::Constant(0)) => zero,
            (Index::Constant(x), Index::Constant(y)) => Index::Constant(x.wrapping_mul(y)),
            _ => self.create(lhs, rhs, |index, b, x, y| index.mul(b, x, y)),
        }
    }

    /// The quotient of a nonnegative by a positive number, rounded down.
    pub fn div(&mut self, lhs: Index, rhs: Index) -> Index {
        match (lhs, rhs) {
            (_, Index::Constant(1)) => lhs,
            (Index::Constant(x), Index::Constant(y)) if x >= 0 && y > 0 => Index::Constant(x / y),
            _ => self.create(lhs, rhs, |index, b, x, y| index.div(b, x, y)),
        }
    }

    /// The larger one of two signed numbers.
    pub fn max(&mut self, lhs: Index, rhs: Index) -> Index {
        match (lhs, rhs) {
            (Index::Constant(x), Index::Constant(y)) => Index::Constant(x.max(y)),
            (Index::Constant(..=0), extent @ Index::Extent(..)) => extent,
            _ => self.create(lhs, rhs, |index, b, x, y| index.max(b, x, y)),
        }
    }

    /// The value of an affine expression of `dims`; `None` if it has a symbol, or a division by anything but a positive constant.
    pub fn apply(&mut self, expr: &AffineExpr, dims: &[Index]) -> Option<Index> {
        let known: Option<Vec<i64>> =
            dims.iter().map(|&dim| if let Index::Constant(dim) = dim { Some(dim) } else { None }).collect();
        if let Some(dims) = known {
            return expr.evaluate(&dims, &[]).map(Index::Constant);
        }
        let dims: Vec<Value> = dims.iter().map(|&dim| self.value(dim)).collect();
        let value = self.makers.index.apply(self.b, expr, &dims)?;
        Some(self.index(value))
    }

    fn create(
        &mut self,
        lhs: Index,
        rhs: Index,
        op: impl FnOnce(&dyn IndexOps, &mut Builder<'_>, Value, Value) -> Value,
    ) -> Index {
        let (lhs, rhs) = (self.value(lhs), self.value(rhs));
        Index::Value(op(self.makers.index, self.b, lhs, rhs))
    }

    fn compare(&mut self, comparison: Comparison, lhs: Index, rhs: Index) -> Condition {
        if let Some(&value) = self.created.comparisons.get(&(comparison, lhs, rhs)) {
            return Condition::Value(value);
        }
        let (x, y) = (self.value(lhs), self.value(rhs));
        let ops = self.makers.index;
        let value = match comparison {
            Comparison::Equal => ops.equal(self.b, x, y),
            Comparison::Less => ops.less(self.b, x, y),
            Comparison::Below => ops.below(self.b, x, y),
        };
        self.created.comparisons.insert((comparison, lhs, rhs), value);
        Condition::Value(value)
    }

    /// Whether two numbers are equal.
    pub fn equal(&mut self, lhs: Index, rhs: Index) -> Condition {
        match (lhs, rhs) {
            (Index::Constant(x), Index::Constant(y)) => Condition::Known(x == y),
            _ if lhs == rhs => Condition::Known(true),
            _ => self.compare(Comparison::Equal, lhs, rhs),
        }
    }

    /// Whether the first of two signed numbers is less.
    pub fn less(&mut self, lhs: Index, rhs: Index) -> Condition {
        match (lhs, rhs) {
            (Index::Constant(x), Index::Constant(y)) => Condition::Known(x < y),
            _ if lhs == rhs => Condition::Known(false),
            _ => self.compare(Comparison::Less, lhs, rhs),
        }
    }

    /// Whether the first of two signed numbers is less or equal; the second one is less than the largest number.
    pub fn at_most(&mut self, lhs: Index, rhs: Index) -> Condition {
        match lhs {
            _ if lhs == rhs => Condition::Known(true),
            Index::Constant(i64::MIN) => Condition::Known(true),
            Index::Constant(number) => self.less(Index::Constant(number - 1), rhs),
            _ => {
                let end = self.add(rhs, Index::Constant(1));
                self.less(lhs, end)
            }
        }
    }

    /// Whether an index is not negative and less than an extent.
    pub fn is_inside(&mut self, index: Index, extent: Index) -> Condition {
        match (index, extent) {
            (Index::Constant(x), Index::Constant(y)) => Condition::Known((0..y).contains(&x)),
            (Index::Constant(x), _) if x < 0 => Condition::Known(false),
            _ => self.compare(Comparison::Below, index, extent),
        }
    }

    /// Whether both conditions hold.
    pub fn both(&mut self, lhs: Condition, rhs: Condition) -> Condition {
        match (lhs, rhs) {
            (Condition::Known(true), other) | (other, Condition::Known(true)) => other,
            (Condition::Known(false), _) | (_, Condition::Known(false)) => Condition::Known(false),
            (Condition::Value(x), Condition::Value(y)) => {
                Condition::Value(self.makers.index.and(self.b, x, y))
            }
        }
    }

    /// Whether at least one of two conditions holds.
    pub fn either(&mut self, lhs: Condition, rhs: Condition) -> Condition {
        match (lhs, rhs) {
            (Condition::Known(false), other) | (other, Condition::Known(false)) => other,
            (Condition::Known(true), _) | (_, Condition::Known(true)) => Condition::Known(true),
            (Condition::Value(x), Condition::Value(y)) => {
                Condition::Value(self.makers.index.or(self.b, x, y))
            }
        }
    }
}
