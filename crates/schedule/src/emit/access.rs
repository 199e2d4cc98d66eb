//! Loads of tiles.

use super::edges::{and, extent_of, is_inside};
use super::leaf::Offsets;
use super::{Emitter, Unsupported};
use crate::kernel::{Access, Axis, Source};
use crate::rules::Tile;
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::strided::Strided;
use minoan_ir::{Attr, Builder, Type, Value};
use minoan_services::{Lane, Masked, zero_attr};

/// The first index of each dimension of a temporary buffer, if it is not zero.
pub(super) type Bases = Vec<Option<Value>>;

/// The largest distance between lanes at which all elements between them are loaded.
pub(crate) const MAX_STRIDE: i64 = 4;

/// A copy of an operand.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    /// The buffer.
    pub(crate) buffer: Value,
    /// The dimensions.
    pub(crate) dims: Vec<PackedDim>,
    /// Whether the last dimension is padded to complete vectors, so that they need no mask.
    pub(crate) padded: bool,
}

/// A dimension of a copy.
#[derive(Clone, Debug)]
pub(crate) struct PackedDim {
    /// The axes, each with the distance of its indices; the last axis is contiguous.
    pub(crate) axes: Vec<(Axis, i64)>,
    /// The first index, if it is not zero.
    pub(crate) base: Option<Value>,
}

/// The position of the elements of a vector.
struct Place {
    buffer: Value,
    /// The indices of the first element.
    at: Vec<Value>,
    /// The dimension along which the indices of lanes differ, and by how much; `None` if all lanes are the same element.
    along: Option<(usize, i64)>,
    /// Whether lanes beyond the end may be accessed.
    padded: bool,
    /// The part that is inside of the source, if some of it may be outside.
    inside: Option<Inside>,
}

/// The part of the elements of a vector that a source has.
struct Inside {
    /// Whether the indices that the lanes share are inside; `None` if they always are.
    shared: Option<Value>,
    /// The first lane that is inside, and the first one after it that is not; `None` if the indices of the lanes
    /// are always inside.
    lanes: Option<(Value, Value)>,
    /// The value of the other elements.
    otherwise: Attr,
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

    /// The access of a read. A read of a padding that is not materialized accesses the padded tensor.
    pub(super) fn access(&self, number: usize, read: usize) -> Access {
        let own = || self.kernel.statements[number].reads[read].clone();
        self.through.get(&(number, read)).cloned().unwrap_or_else(own)
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
            for (dim, PackedDim { axes, base }) in packed.dims.iter().enumerate() {
                let makers = self.makers;
                let mut index = None;
                for &(axis, distance) in axes {
                    let mut own = self.index_at(b, axis, offsets);
                    if distance != 1 {
                        let distance = makers.index.index(b, distance);
                        own = makers.index.mul(b, own, distance);
                    }
                    index = Some(index.map_or(own, |others| makers.index.add(b, others, own)));
                    if tile.lanes.is_some_and(|(lanes, _)| lanes == axis) {
                        along = Some((dim, distance));
                    }
                }
                let index = index.ok_or("a dimension of a copy without an axis")?;
                at.push(base.map_or(index, |base| makers.index.sub(b, index, base)));
            }
            return Ok(Place { buffer: packed.buffer, at, along, padded: packed.padded, inside: None });
        }
        let access = self.access(number, read);
        let mut at = self.indices_at(b, number, &access, offsets)?;
        let mut along = None;
        for (dim, expr) in access.map.results.iter().enumerate() {
            let mut inside = Vec::new();
            statement.axes_in(expr, &mut inside);
            if let Some((axis, lanes)) = tile.lanes.filter(|(axis, _)| inside.contains(axis)) {
                // A shifted step may cross the border of a block.
                let is_shifted = self.axes[axis].is_some_and(|state| state.shifted);
                let stride = match is_shifted {
                    true => statement.stride(expr, axis),
                    false => statement.stride_of_lanes(expr, axis, lanes),
                };
                let is_quotient = matches!(expr, AffineExpr::Binary(AffineOp::FloorDiv, ..));
                if stride == Some(0) && is_quotient {
                    continue;
                }
                let stride = stride.filter(|&stride| along.is_none() && stride > 0).ok_or_else(|| {
                    format!("'{}' reads lanes that are at no fixed distance", statement.name)
                })?;
                along = Some((dim, stride));
            }
        }
        let inside = self.inside(b, number, &access, &mut at, along, tile)?;
        let (buffer, bases) = self.source_of(access.source)?;
        self.relative(b, &mut at, bases.as_deref());
        Ok(Place { buffer, at, along, padded: false, inside })
    }

    /// The indices of an access at offsets along the axes.
    pub(super) fn indices_at(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        access: &Access,
        offsets: &Offsets,
    ) -> Result<Vec<Value>, Unsupported> {
        let statement = &self.kernel.statements[number];
        let dims: Vec<Value> = statement.axes.iter().map(|&axis| self.index_at(b, axis, offsets)).collect();
        let without_form = || format!("'{}' reads at indices without a form", statement.name);
        let index = self.makers.index;
        access.map.results.iter().map(|expr| index.apply(b, expr, &dims).ok_or_else(without_form)).collect()
    }

    /// The buffer of a source in memory, and the first index of each of its dimensions.
    pub(super) fn source_of(&self, source: Source) -> Result<(Value, Option<Bases>), Unsupported> {
        let kernel = self.kernel;
        match source {
            Source::Argument(argument) => Ok((self.operands[argument], None)),
            Source::Statement(producer) => match self.storage.output_of(producer) {
                Some(output) => Ok((self.operands[kernel.inputs + output], None)),
                None => match (self.scratch.get(&producer), self.bases.get(&producer)) {
                    (Some(&buffer), Some(bases)) => Ok((buffer, Some(bases.clone()))),
                    _ => Err(format!("'{}' is not in memory", kernel.statements[producer].name)),
                },
            },
            _ => Err("a scalar is not in memory".to_owned()),
        }
    }

    /// The part of a read at the indices `at` that its source has; `None` if that is all of it. Indices outside that the lanes
    /// share become 0: a load from pages that are not mapped is slow although no lane is read.
    fn inside(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        access: &Access,
        at: &mut [Value],
        along: Option<(usize, i64)>,
        tile: &Tile,
    ) -> Result<Option<Inside>, Unsupported> {
        let statement = &self.kernel.statements[number];
        let Some(otherwise) = access.outside.filter(|_| !self.interior.contains(&number)) else {
            return Ok(None);
        };
        let index = self.makers.index;
        let mut inside = Inside { shared: None, lanes: None, otherwise };
        for (dim, _) in access.edges() {
            let first = at[dim];
            let extent = extent_of(self, b, access, dim)?;
            let zero = index.index(b, 0);
            if let (Some((along, stride)), Some(_)) = (along, tile.lanes)
                && along == dim
            {
                if stride != 1 {
                    return Err(format!("'{}' reads strided lanes beyond an edge", statement.name));
                }
                let before = index.sub(b, zero, first);
                inside.lanes = Some((before, index.sub(b, extent, first)));
                continue;
            }
            let fits = is_inside(index, b, (first, first), extent);
            at[dim] = index.select(b, fits, first, zero);
            inside.shared = Some(and(index, b, inside.shared, fits));
        }
        Ok(Some(inside))
    }

    /// The mask of the lanes that are inside of a source and not beyond the end of an axis.
    fn inside_mask(&mut self, b: &mut Builder<'_>, inside: &Inside, axis: Axis, lanes: i64) -> Value {
        let (ctx, index) = (b.context(), self.makers.index);
        let ty = Type::vector(&ctx, &[lanes], Type::I1);
        let remaining = self.axes[axis].and_then(|state| state.remaining);
        if let (None, None, Some(shared)) = (remaining, inside.lanes, inside.shared) {
            return self.makers.vectors.splat(b, shared, ty);
        }
        let zero = index.index(b, 0);
        let end = match (remaining, inside.lanes) {
            (Some(remaining), Some((_, end))) => index.min(b, remaining, end),
            (Some(end), None) | (None, Some((_, end))) => end,
            (None, None) => index.index(b, lanes),
        };
        let mut mask = self.makers.vectors.mask(b, ty, &[end]);
        let none = self.makers.vectors.mask(b, ty, &[zero]);
        if let Some((first, _)) = inside.lanes {
            let before = self.makers.vectors.mask(b, ty, &[first]);
            mask = index.select(b, before, none, mask);
        }
        // Apart, since the lanes are often the same in all iterations of inner loops.
        if let Some(shared) = inside.shared {
            let shared = self.makers.vectors.splat(b, shared, ty);
            mask = index.select(b, mask, shared, none);
        }
        mask
    }

    pub(super) fn relative(
        &mut self,
        b: &mut Builder<'_>,
        at: &mut [Value],
        bases: Option<&[Option<Value>]>,
    ) {
        for (index, base) in at.iter_mut().zip(bases.unwrap_or(&[])) {
            if let &Some(base) = base {
                *index = self.makers.index.sub(b, *index, base);
            }
        }
    }

    /// Whether vectors can be loaded along a dimension: it is the last, contiguous one, and elements are floats or integers.
    pub(super) fn is_contiguous(b: &Builder<'_>, buffer: Value, dim: usize) -> bool {
        let (ctx, ty) = (b.context(), b.ty(buffer));
        let rank = ty.rank(&ctx).unwrap_or(0);
        let element = ty.element_or_self(&ctx);
        let has_vectors = element.is_float(&ctx) || element.integer_width(&ctx).is_some();
        let strides = Strided::of(&ctx, ty);
        dim + 1 == rank && has_vectors && strides.is_some_and(|layout| layout.strides.last() == Some(&1))
    }

    /// Loads the elements of a read; along two axes with lanes, one group after the other.
    pub(super) fn load_tile(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        read: usize,
        tile: &Tile,
        offsets: &Offsets,
    ) -> Result<Lane, Unsupported> {
        let (Some((axis, groups)), Some((_, lanes))) = (tile.groups, tile.lanes) else {
            return self.load(b, number, read, tile, offsets);
        };
        let single = Tile { groups: None, ..tile.clone() };
        let vectors = self.makers.vectors;
        if !self.kernel.statements[number].axes_of_read(read).contains(&axis) {
            return Ok(match self.load(b, number, read, &single, offsets)? {
                Lane::Varying(value) => {
                    let repeated: Vec<i64> = (0..groups * lanes).map(|lane| lane % lanes).collect();
                    Lane::Varying(vectors.shuffle(b, value, value, &repeated))
                }
                uniform => uniform,
            });
        }
        let (ctx, element) = (b.context(), self.kernel.statements[number].reads[read].element);
        let ty = Type::vector(&ctx, &[lanes], element);
        let mut parts = Vec::with_capacity(groups as usize);
        for group in 0..groups {
            let mut offsets = offsets.clone();
            offsets.push((axis, group));
            parts.push(match self.load(b, number, read, &single, &offsets)? {
                Lane::Varying(value) => value,
                Lane::Uniform(value) => vectors.splat(b, value, ty),
            });
        }
        // Pairs first, so that vectors of the size of registers are never cut.
        while parts.len() > 1 {
            let pairs: Vec<Value> = parts
                .chunks(2)
                .map(|pair| match *pair {
                    [first, second] => self.joined(b, first, second),
                    _ => pair[0],
                })
                .collect();
            parts = pairs;
        }
        Ok(Lane::Varying(parts[0]))
    }

    /// The lanes of two vectors.
    fn joined(&self, b: &mut Builder<'_>, first: Value, second: Value) -> Value {
        let ctx = b.context();
        let count =
            |value: Value| b.ty(value).shape(&ctx).and_then(|shape| shape.first().copied()).unwrap_or(0);
        let all: Vec<i64> = (0..count(first) + count(second)).collect();
        self.makers.vectors.shuffle(b, first, second, &all)
    }

    /// Loads a scalar, which may be beyond an edge.
    fn load_scalar(&mut self, b: &mut Builder<'_>, place: &Place) -> Value {
        let makers = self.makers;
        let Some(Inside { shared: Some(shared), otherwise, .. }) = place.inside else {
            return makers.buffers.load(b, place.buffer, &place.at);
        };
        let ctx = b.context();
        let element = b.ty(place.buffer).element_or_self(&ctx);
        makers.loops.choose(
            b,
            shared,
            &[element],
            &mut |b| vec![makers.buffers.load(b, place.buffer, &place.at)],
            &mut |b| vec![makers.index.constant(b, otherwise)],
        )[0]
    }

    /// Loads the elements of a read for lanes along at most one axis.
    fn load(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        read: usize,
        tile: &Tile,
        offsets: &Offsets,
    ) -> Result<Lane, Unsupported> {
        if let Some(phases) = self.phases(number, read, tile) {
            return self.load_phases(b, number, read, tile, offsets, phases).map(Lane::Varying);
        }
        let place = self.place(b, number, read, tile, offsets)?;
        let makers = self.makers;
        let (Some((axis, lanes)), Some((dim, stride))) = (tile.lanes, place.along) else {
            return Ok(Lane::Uniform(self.load_scalar(b, &place)));
        };
        let (ctx, element) = (b.context(), self.kernel.statements[number].reads[read].element);
        let ty = Type::vector(&ctx, &[lanes], element);
        if let Some(inside) = &place.inside {
            if !Self::is_contiguous(b, place.buffer, dim) {
                let name = &self.kernel.statements[number].name;
                return Err(format!("'{name}' reads lanes beyond an edge that are not contiguous"));
            }
            let splat = |b: &mut Builder<'_>| {
                let otherwise = makers.index.constant(b, inside.otherwise);
                makers.vectors.splat(b, otherwise, ty)
            };
            let is_partial = self.axes[axis].is_some_and(|state| state.remaining.is_some());
            if let (Some(shared), None) = (inside.shared, inside.lanes)
                && !is_partial
                && !self.machine.masks
            {
                let mut load =
                    |b: &mut Builder<'_>| vec![makers.vectors.load(b, ty, place.buffer, &place.at, None)];
                let loaded = makers.loops.choose(b, shared, &[ty], &mut load, &mut |b| vec![splat(b)]);
                return Ok(Lane::Varying(loaded[0]));
            }
            let mask = self.inside_mask(b, inside, axis, lanes);
            let otherwise = splat(b);
            let masked = Some(Masked { mask, otherwise });
            return Ok(Lane::Varying(makers.vectors.load(b, ty, place.buffer, &place.at, masked)));
        }
        let Place { buffer, at, padded, .. } = place;
        if stride > 1 && stride <= MAX_STRIDE && Self::is_contiguous(b, buffer, dim) {
            return self.load_strided(b, (buffer, &at), axis, (lanes, stride), element).map(Lane::Varying);
        }
        let mask = if padded { None } else { self.mask(b, axis, lanes) };
        if stride == 1 && Self::is_contiguous(b, buffer, dim) {
            let masked = match mask {
                Some(mask) => Some(Masked { mask, otherwise: self.zeros(b, ty, element)? }),
                None => None,
            };
            return Ok(Lane::Varying(makers.vectors.load(b, ty, buffer, &at, masked)));
        }
        let mut elements = Vec::with_capacity(lanes as usize);
        for lane in 0..lanes {
            let at = self.lane_indices(b, &at, (dim, stride), axis, lane);
            elements.push(makers.buffers.load(b, buffer, &at));
        }
        Ok(Lane::Varying(makers.vectors.join(b, &elements, ty)))
    }

    /// Loads all elements from the first to the last lane, and selects.
    fn load_strided(
        &mut self,
        b: &mut Builder<'_>,
        (buffer, at): (Value, &[Value]),
        axis: Axis,
        (lanes, stride): (i64, i64),
        element: Type,
    ) -> Result<Value, Unsupported> {
        let (ctx, makers) = (b.context(), self.makers);
        let index = makers.index;
        // The elements after the last lane may be outside of the buffer.
        let count = match self.axes[axis].and_then(|state| state.remaining) {
            Some(remaining) => {
                let lanes = index.index(b, lanes);
                let count = index.min(b, remaining, lanes);
                let (stride, behind) = (index.index(b, stride), index.index(b, stride - 1));
                let count = index.mul(b, count, stride);
                index.sub(b, count, behind)
            }
            None => index.index(b, (lanes - 1) * stride + 1),
        };
        let ty = Type::vector(&ctx, &[lanes * stride], element);
        let mask = makers.vectors.mask(b, Type::vector(&ctx, &[lanes * stride], Type::I1), &[count]);
        let masked = Masked { mask, otherwise: self.zeros(b, ty, element)? };
        let all = makers.vectors.load(b, ty, buffer, at, Some(masked));
        let wanted: Vec<i64> = (0..lanes).map(|lane| lane * stride).collect();
        Ok(makers.vectors.shuffle(b, all, all, &wanted))
    }

    /// The indices of one lane; lanes beyond the end have the indices of the last one below it.
    pub(super) fn lane_indices(
        &mut self,
        b: &mut Builder<'_>,
        at: &[Value],
        (dim, stride): (usize, i64),
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
        if stride != 1 {
            let stride = index.index(b, stride);
            offset = index.mul(b, offset, stride);
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
        let zero = self.zero(b, element)?;
        Ok(self.makers.vectors.splat(b, zero, ty))
    }

    /// The zero of an element type.
    pub(super) fn zero(&mut self, b: &mut Builder<'_>, element: Type) -> Result<Value, Unsupported> {
        let ctx = b.context();
        let zero = zero_attr(&ctx, element).ok_or_else(|| "elements of this type have no zero".to_owned())?;
        Ok(self.makers.index.constant(b, zero))
    }
}
