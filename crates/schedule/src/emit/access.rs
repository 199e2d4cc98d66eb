//! Loads and stores of tiles.

use super::leaf::{Offsets, positions};
use super::{Emitter, Register, Unsupported};
use crate::kernel::{Axis, Source};
use crate::rules::Tile;
use minoan_ir::affine::AffineExpr;
use minoan_ir::strided::Strided;
use minoan_ir::{Builder, Type, Value};
use minoan_services::{Lane, Masked};

/// A copy of an operand.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    /// The buffer.
    pub(crate) buffer: Value,
    /// The axis of each dimension, with its first index if it is not zero.
    pub(crate) dims: Vec<(Axis, Option<Value>)>,
    /// Whether the last dimension is padded to complete vectors, so that they need no mask.
    pub(crate) padded: bool,
}

/// Where the elements of a vector are.
struct Place {
    buffer: Value,
    /// The indices of the first element.
    at: Vec<Value>,
    /// The dimension along which lanes are consecutive; `None` if all lanes are the same element.
    along: Option<usize>,
    /// Whether lanes beyond the end may be accessed.
    padded: bool,
}

impl Emitter<'_> {
    /// The index of an axis at an offset.
    pub(super) fn index_at(&mut self, b: &mut Builder<'_>, axis: Axis, offsets: &Offsets) -> Value {
        let offset = offsets.iter().find(|(at, _)| *at == axis).map_or(0, |&(_, offset)| offset);
        let Some(state) = self.axes[axis] else { return self.makers.index.index(b, offset) };
        if offset == 0 {
            return state.base;
        }
        let offset = self.makers.index.index(b, offset);
        self.makers.index.add(b, state.base, offset)
    }

    /// The place of a read.
    fn place(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        read: usize,
        tile: &Tile,
        offsets: &Offsets,
    ) -> Result<Place, Unsupported> {
        let kernel = self.kernel;
        let statement = &kernel.statements[number];
        if let Some(packed) = self.packed.get(&(number, read)).cloned() {
            let mut at = Vec::with_capacity(packed.dims.len());
            let mut along = None;
            for (dim, &(axis, base)) in packed.dims.iter().enumerate() {
                let index = self.index_at(b, axis, offsets);
                at.push(base.map_or(index, |base| self.makers.index.sub(b, index, base)));
                if tile.lanes.is_some_and(|(lanes, _)| lanes == axis) {
                    along = Some(dim);
                }
            }
            return Ok(Place { buffer: packed.buffer, at, along, padded: packed.padded });
        }
        let access = &statement.reads[read];
        let mut dims = Vec::with_capacity(statement.axes.len());
        for &axis in &statement.axes {
            dims.push(self.index_at(b, axis, offsets));
        }
        let mut at = Vec::with_capacity(access.map.results.len());
        let mut along = None;
        for (dim, expr) in access.map.results.iter().enumerate() {
            let index = self.makers.index.apply(b, expr, &dims);
            at.push(index.ok_or_else(|| format!("'{}' reads at indices without a form", statement.name))?);
            let mut inside = Vec::new();
            statement.axes_in(expr, &mut inside);
            let lanes = tile.lanes.map(|(axis, _)| axis);
            if lanes.is_some_and(|lanes| inside.contains(&lanes)) {
                let plain = lanes.is_some_and(|lanes| advances_by_one(statement, expr, lanes));
                if along.is_some() || !plain {
                    return Err(format!("'{}' reads lanes that are not consecutive", statement.name));
                }
                along = Some(dim);
            }
        }
        let (buffer, bases) = match access.source {
            Source::Argument(argument) => (self.operands[argument], None),
            Source::Statement(producer) => match kernel.output_of(producer) {
                Some(output) => (self.operands[kernel.inputs + output], None),
                None => match (self.scratch.get(&producer), self.bases.get(&producer)) {
                    (Some(&buffer), Some(bases)) => (buffer, Some(bases.clone())),
                    _ => return Err(format!("'{}' is not in memory", kernel.statements[producer].name)),
                },
            },
            _ => return Err("a scalar is not in memory".to_owned()),
        };
        self.relative(b, &mut at, bases.as_deref());
        Ok(Place { buffer, at, along, padded: false })
    }

    fn relative(&mut self, b: &mut Builder<'_>, at: &mut [Value], bases: Option<&[Option<Value>]>) {
        for (index, base) in at.iter_mut().zip(bases.unwrap_or(&[])) {
            if let &Some(base) = base {
                *index = self.makers.index.sub(b, *index, base);
            }
        }
    }

    /// Whether vectors can be loaded along a dimension: it is the last, contiguous one, and elements are whole bytes.
    fn is_contiguous(b: &Builder<'_>, buffer: Value, dim: usize) -> bool {
        let (ctx, ty) = (b.context(), b.ty(buffer));
        let rank = ty.rank(&ctx).unwrap_or(0);
        let element = ty.element_or_self(&ctx);
        let whole = element.is_float(&ctx) || element.integer_width(&ctx).is_some_and(|width| width % 8 == 0);
        let strides = Strided::of(&ctx, ty);
        dim + 1 == rank && whole && strides.is_some_and(|layout| layout.strides.last() == Some(&1))
    }

    /// Loads the elements of a read.
    pub(super) fn load(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        read: usize,
        tile: &Tile,
        offsets: &Offsets,
    ) -> Result<Lane, Unsupported> {
        let Place { buffer, at, along, padded } = self.place(b, number, read, tile, offsets)?;
        let makers = self.makers;
        let (Some((axis, lanes)), Some(dim)) = (tile.lanes, along) else {
            return Ok(Lane::Uniform(makers.buffers.load(b, buffer, &at)));
        };
        let (ctx, element) = (b.context(), self.kernel.statements[number].reads[read].element);
        let ty = Type::vector(&ctx, &[lanes], element);
        let mask = if padded { None } else { self.mask(b, axis, lanes) };
        if Self::is_contiguous(b, buffer, dim) {
            let masked = match mask {
                Some(mask) => Some(Masked { mask, otherwise: self.zeros(b, ty, element)? }),
                None => None,
            };
            return Ok(Lane::Varying(makers.vectors.load(b, ty, buffer, &at, masked)));
        }
        let mut elements = Vec::with_capacity(lanes as usize);
        for lane in 0..lanes {
            let at = self.lane_indices(b, &at, dim, axis, lane);
            elements.push(makers.buffers.load(b, buffer, &at));
        }
        Ok(Lane::Varying(makers.vectors.join(b, &elements, ty)))
    }

    /// The indices of one lane; that of a lane beyond the end is the last one below it.
    fn lane_indices(
        &mut self,
        b: &mut Builder<'_>,
        at: &[Value],
        dim: usize,
        axis: Axis,
        lane: i64,
    ) -> Vec<Value> {
        let index = self.makers.index;
        let mut at = at.to_vec();
        let mut offset = index.index(b, lane);
        if let Some(remaining) = self.axes[axis].and_then(|state| state.remaining) {
            let one = index.index(b, 1);
            let last = index.sub(b, remaining, one);
            offset = index.min(b, offset, last);
        }
        at[dim] = index.add(b, at[dim], offset);
        at
    }

    /// A vector of zeros.
    pub(super) fn zeros(
        &mut self,
        b: &mut Builder<'_>,
        ty: Type,
        element: Type,
    ) -> Result<Value, Unsupported> {
        let ctx = b.context();
        let zero = zero_of(&ctx, element).ok_or_else(|| "elements of this type have no zero".to_owned())?;
        let zero = self.makers.index.constant(b, zero);
        Ok(self.makers.vectors.splat(b, zero, ty))
    }

    /// Stores a tile to the output or the temporary storage of its statement, if it has one.
    pub(super) fn store_tile(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        register: &Register,
        nontemporal: bool,
    ) -> Result<(), Unsupported> {
        let kernel = self.kernel;
        let statement = &kernel.statements[number];
        let (buffer, bases) = match (kernel.output_of(number), self.scratch.get(&number)) {
            (Some(output), _) => (self.operands[kernel.inputs + output], None),
            (None, Some(&buffer)) => (buffer, self.bases.get(&number).cloned()),
            (None, None) => return Ok(()),
        };
        for (offsets, &value) in positions(&register.tile).iter().zip(&register.values) {
            let mut at = Vec::with_capacity(statement.write.results.len());
            let mut along = None;
            for (dim, axis) in statement.written_axes().into_iter().enumerate() {
                at.push(match axis {
                    Some(axis) => self.index_at(b, axis, offsets),
                    None => self.makers.index.index(b, 0),
                });
                if axis.is_some() && register.tile.lanes.map(|(lanes, _)| lanes) == axis {
                    along = Some(dim);
                }
            }
            self.relative(b, &mut at, bases.as_deref());
            self.store(b, value, buffer, &at, register.tile.lanes.zip(along), nontemporal);
        }
        Ok(())
    }

    fn store(
        &mut self,
        b: &mut Builder<'_>,
        value: Value,
        buffer: Value,
        at: &[Value],
        lanes: Option<((Axis, i64), usize)>,
        nontemporal: bool,
    ) {
        let makers = self.makers;
        let Some(((axis, lanes), dim)) = lanes else { return makers.buffers.store(b, value, buffer, at) };
        let mask = self.mask(b, axis, lanes);
        if Self::is_contiguous(b, buffer, dim) {
            return makers.vectors.store(b, value, buffer, at, mask, nontemporal && mask.is_none());
        }
        // A lane beyond the end writes the element of the last lane below it again.
        let ctx = b.context();
        let element = b.ty(value).element_or_self(&ctx);
        let remaining = self.axes[axis].and_then(|state| state.remaining);
        let mut last = None;
        for lane in 0..lanes {
            let at = self.lane_indices(b, at, dim, axis, lane);
            let mut scalar = makers.vectors.extract(b, value, &[lane]);
            if let (Some(remaining), Some(before)) = (remaining, last) {
                let lane = makers.index.index(b, lane);
                let inside = makers.index.less(b, lane, remaining);
                scalar = makers.index.select(b, inside, scalar, before);
            }
            debug_assert_eq!(b.ty(scalar), element);
            makers.buffers.store(b, scalar, buffer, &at);
            last = Some(scalar);
        }
    }
}

/// Whether an index grows by one with an axis.
fn advances_by_one(statement: &crate::Statement, expr: &AffineExpr, axis: Axis) -> bool {
    use minoan_ir::affine::AffineOp::Add;
    let mut inside = Vec::new();
    statement.axes_in(expr, &mut inside);
    if !inside.contains(&axis) {
        return false;
    }
    match expr {
        AffineExpr::Dim(_) => true,
        AffineExpr::Binary(Add, lhs, rhs) => {
            let mut right = Vec::new();
            statement.axes_in(rhs, &mut right);
            let mut left = Vec::new();
            statement.axes_in(lhs, &mut left);
            match (left.contains(&axis), right.contains(&axis)) {
                (true, false) => advances_by_one(statement, lhs, axis),
                (false, true) => advances_by_one(statement, rhs, axis),
                _ => false,
            }
        }
        _ => false,
    }
}

/// The zero of an element type.
fn zero_of(ctx: &minoan_ir::Context, element: Type) -> Option<minoan_ir::Attr> {
    if element.is_float(ctx) {
        return Some(minoan_ir::Attr::float(ctx, 0.0, element));
    }
    let is_integer = element == Type::INDEX || element.integer_width(ctx).is_some();
    is_integer.then(|| minoan_ir::Attr::integer(ctx, 0i64, element))
}
