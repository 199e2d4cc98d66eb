//! The tile of a statement: reads, the vectorized computation, and stores.

use super::{Emitter, Register, Unsupported};
use crate::kernel::{Axis, Source};
use crate::rules::Tile;
use minoan_ir::{Builder, Mapping, Value};
use minoan_services::{Lane, Lanes};
use rustc_hash::FxHashMap;

/// The unrolled indices of an element of a tile, as offsets along the axes.
pub(super) type Offsets = Vec<(Axis, i64)>;

/// The loaded elements of a leaf by the read and the offsets that it depends on.
pub(super) type Loaded = FxHashMap<(usize, Offsets), Lane>;

/// The unrolled indices of a tile, in row-major order.
pub(super) fn positions(tile: &Tile) -> Vec<Offsets> {
    let mut all = vec![Vec::new()];
    for &(axis, size) in &tile.unrolled {
        let extend = |offsets: Offsets| {
            (0..size).map(move |at| offsets.iter().copied().chain([(axis, at)]).collect::<Offsets>())
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// The number of the element of a tile with given offsets; axes that the tile lacks are ignored.
pub(super) fn position_in(tile: &Tile, offsets: &Offsets) -> usize {
    let offset = |axis: Axis| offsets.iter().find(|(at, _)| *at == axis).map_or(0, |&(_, offset)| offset);
    tile.unrolled.iter().fold(0, |at, &(axis, size)| at * size as usize + offset(axis) as usize)
}

impl Emitter<'_> {
    /// Emits a tile.
    pub(super) fn leaf(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        tile: &Tile,
        nontemporal: bool,
    ) -> Result<(), Unsupported> {
        let tile = self.current(tile);
        let mut loaded = Loaded::default();
        let mut values = Vec::new();
        for offsets in positions(&tile) {
            values.push(self.element(b, number, &tile, &offsets, &mut loaded)?);
        }
        if let Some(register) = self.accumulators.get_mut(&number) {
            let shape = register.tile.clone();
            for (offsets, value) in positions(&tile).into_iter().zip(values) {
                let at = position_in(&shape, &offsets);
                self.accumulators.get_mut(&number).expect("it is in progress").values[at] = value;
            }
            return Ok(());
        }
        let register = Register { tile, values };
        self.store_tile(b, number, &register, nontemporal)?;
        self.registers.insert(number, register);
        Ok(())
    }

    /// Computes one vector, or one scalar, of a tile.
    fn element(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        tile: &Tile,
        offsets: &Offsets,
        loaded: &mut Loaded,
    ) -> Result<Value, Unsupported> {
        let statement = &self.kernel.statements[number];
        let mut elements = Vec::with_capacity(statement.reads.len());
        let mut old = None;
        let sums_pairs = self.sums_pairs(&b.context(), number, tile);
        for read in 0..statement.reads.len() {
            if self.is_accumulator(number, read) {
                let register = &self.accumulators[&number];
                let value = register.values[position_in(&register.tile, offsets)];
                let has_lanes = register.tile.lanes.is_some();
                old = Some(value);
                elements.push(if sums_pairs {
                    Lane::Uniform(self.zero(b, statement.element)?)
                } else if has_lanes {
                    Lane::Varying(value)
                } else {
                    Lane::Uniform(value)
                });
            } else {
                elements.push(self.read(b, number, read, tile, offsets, loaded)?);
            }
        }
        let mut value = self.compute(b, number, tile, offsets, &elements)?;
        if let (true, Some(old), Some((axis, lanes))) = (sums_pairs, old, tile.lanes) {
            if let Some(mask) = self.mask(b, axis, lanes) {
                let ty = b.ty(value);
                let zeros = self.zeros(b, ty, statement.element)?;
                value = self.makers.index.select(b, mask, value, zeros);
            }
            return self.add_pairs(b, number, old, value, lanes);
        }
        // Lanes beyond the end do not take part in a reduction.
        if let (Some(old), Some((axis, lanes))) = (old, tile.lanes)
            && statement.reduces(axis)
            && let Some(mask) = self.mask(b, axis, lanes)
        {
            return Ok(self.makers.index.select(b, mask, value, old));
        }
        Ok(value)
    }

    /// Computes the new elements from those of the reads: a vector if the tile has lanes.
    fn compute(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        tile: &Tile,
        offsets: &Offsets,
        elements: &[Lane],
    ) -> Result<Value, Unsupported> {
        let scalar = &self.scalars.statements[number];
        let statement = &self.kernel.statements[number];
        let mut indices = Vec::new();
        for (&index, &axis) in scalar.indices.iter().zip(&statement.axes) {
            if b.body().is_used(index) {
                indices.push((index, self.index_lane(b, axis, tile, offsets)));
            }
        }
        let (Some((axis, lanes)), Some(width)) = (tile.lanes, tile.width()) else {
            let mut mapping = Mapping::new();
            for (&placeholder, &element) in scalar.elements.iter().zip(elements) {
                let (Lane::Uniform(value) | Lane::Varying(value)) = element;
                mapping.map(placeholder, value);
            }
            for (placeholder, lane) in indices {
                let (Lane::Uniform(value) | Lane::Varying(value)) = lane;
                mapping.map(placeholder, value);
            }
            for &op in &scalar.ops {
                let point = b.insertion_point();
                b.body_mut().clone_op(op, point, &mut mapping);
            }
            return Ok(mapping.value(scalar.result));
        };
        let mut state = Lanes::new(&[width]);
        state.mask = self.mask(b, axis, lanes);
        let pairs = scalar.elements.iter().copied().zip(elements.iter().copied());
        pairs.chain(indices).for_each(|(placeholder, lane)| state.set(placeholder, lane));
        for &op in &scalar.ops {
            state.run(b, op).ok_or_else(|| {
                let name = b.body().op(op).name();
                format!("'{name}' in '{}' has no vector form", statement.name)
            })?;
        }
        let vector = state.vector(b, scalar.result);
        vector.ok_or_else(|| format!("'{}' has no vector form", statement.name))
    }

    /// The index along an axis.
    fn index_lane(&mut self, b: &mut Builder<'_>, axis: Axis, tile: &Tile, offsets: &Offsets) -> Lane {
        let at = self.index_at(b, axis, offsets);
        let (Some((along, lanes)), Some(width)) = (tile.lanes, tile.width()) else {
            return Lane::Uniform(at);
        };
        let is_group = tile.groups.is_some_and(|(group, _)| group == axis);
        if along != axis && !is_group {
            return Lane::Uniform(at);
        }
        let (ctx, makers) = (b.context(), self.makers);
        let mut step = makers.vectors.step(b, width);
        if tile.groups.is_some() {
            let index = |lane: i64| if is_group { lane / lanes } else { lane % lanes };
            let indices: Vec<i64> = (0..width).map(index).collect();
            step = makers.vectors.shuffle(b, step, step, &indices);
        }
        let ty = minoan_ir::Type::vector(&ctx, &[width], minoan_ir::Type::INDEX);
        let base = makers.vectors.splat(b, at, ty);
        Lane::Varying(makers.index.add(b, base, step))
    }

    /// The mask of lanes along an axis; `None` if all of them are below its end.
    pub(super) fn mask(&mut self, b: &mut Builder<'_>, axis: Axis, lanes: i64) -> Option<Value> {
        let remaining = self.axes[axis]?.remaining?;
        if let Some(&mask) = self.masks.get(&(remaining, lanes)) {
            return Some(mask);
        }
        let ctx = b.context();
        let ty = minoan_ir::Type::vector(&ctx, &[lanes], minoan_ir::Type::I1);
        let mask = self.makers.vectors.mask(b, ty, &[remaining]);
        self.masks.insert((remaining, lanes), mask);
        Some(mask)
    }

    /// The element of a read at a position of a tile.
    pub(super) fn read(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        read: usize,
        tile: &Tile,
        offsets: &Offsets,
        loaded: &mut Loaded,
    ) -> Result<Lane, Unsupported> {
        let statement = &self.kernel.statements[number];
        let access = &statement.reads[read];
        let depends = statement.axes_of_read(read);
        let own: Offsets = offsets.iter().copied().filter(|(axis, _)| depends.contains(axis)).collect();
        if let Some(&lane) = loaded.get(&(read, own.clone())) {
            return Ok(lane);
        }
        let lane = match access.source {
            Source::Scalar(value) => Lane::Uniform(self.scalar(value)),
            // Any element will do.
            Source::Undefined => Lane::Uniform(self.zero(b, access.element)?),
            Source::Statement(producer) if self.is_inline(access.source) => self.inline(b, producer)?,
            Source::Statement(producer) if self.is_in_registers(number, read) => {
                let register = &self.registers[&producer];
                let value = register.values[position_in(&register.tile, offsets)];
                if register.tile.lanes.is_some() { Lane::Varying(value) } else { Lane::Uniform(value) }
            }
            Source::Argument(_) | Source::Statement(_) => self.load_tile(b, number, read, tile, &own)?,
        };
        loaded.insert((read, own), lane);
        Ok(lane)
    }

    fn is_in_registers(&self, number: usize, read: usize) -> bool {
        let Source::Statement(producer) = self.kernel.statements[number].reads[read].source else {
            return false;
        };
        self.storage.is_forwarded(number, read) && self.registers.contains_key(&producer)
    }

    /// The element of a statement that reads scalars only.
    fn inline(&mut self, b: &mut Builder<'_>, producer: usize) -> Result<Lane, Unsupported> {
        let scalar = &self.scalars.statements[producer];
        if scalar.indices.iter().any(|&index| b.body().is_used(index)) {
            let name = &self.kernel.statements[producer].name;
            return Err(format!("'{name}' depends on its indices and is computed where it is read"));
        }
        let elements: Vec<Lane> = self.kernel.statements[producer]
            .reads
            .iter()
            .map(|access| match access.source {
                Source::Scalar(value) => Ok(Lane::Uniform(self.scalar(value))),
                _ => Err("a statement without scalars is computed where it is read".to_owned()),
            })
            .collect::<Result<_, _>>()?;
        self.compute(b, producer, &Tile::default(), &Vec::new(), &elements).map(Lane::Uniform)
    }
}
