//! Mutation of operations: create, move, replace, modify. All operations keep use lists and block lists exact.

use super::arena::Link;
use super::{
    Block, Body, EditError, Ext, InsertionPoint, Op, OpData, OpParts, OpState, Operand, PackedDef,
    RegionData, Value, ValueData,
};
use crate::{Attr, Loc, Name, OpKind, Traits, Type};
use smallvec::SmallVec;

/// A position in a block: the block and the neighbors.
#[derive(Clone, Copy)]
pub(super) struct Place {
    block: Link,
    prev: Link,
    next: Link,
}

impl Place {
    /// The position of a detached operation.
    const NONE: Place = Place { block: Link::NONE, prev: Link::NONE, next: Link::NONE };
}

impl Body {
    /// Creates an operation. Its regions are created without blocks; those of an isolated operation are in
    /// [`Body::nested`].
    ///
    /// # Panics
    /// Panics if an id in `state` is stale or foreign, or there are more than 65,535 operands or results.
    #[track_caller]
    pub fn create(&mut self, state: &OpState, point: InsertionPoint) -> Op {
        self.edits += 1;
        let traits = self.traits_of(state.kind);
        let OpState { kind, loc, props, attrs, regions, .. } = *state;
        let parts = OpParts {
            kind,
            loc,
            operands: &state.operands,
            results: &state.results,
            props,
            attrs,
            successors: &state.successors,
            regions: &[],
            nested: None,
        };
        let at = self.new_op(&parts, point);
        if regions > 0 || !state.successors.is_empty() || traits.has(Traits::ISOLATED) {
            let mut ext = Ext { successors: state.successors.clone(), ..Ext::default() };
            if traits.has(Traits::ISOLATED) {
                ext.nested = Some(Box::new(Body::new(&self.ctx, regions)));
            } else {
                for _ in 0..regions {
                    let region = RegionData::of(at);
                    ext.regions.push(self.regions.insert(region));
                }
            }
            self.put_ext(at, ext);
        }
        self.op_id(at)
    }

    /// Creates and links an operation with operands and results; counts its successors, but leaves its extra record
    /// to the caller.
    #[track_caller]
    #[inline]
    pub(super) fn new_op(&mut self, parts: &OpParts<'_>, point: InsertionPoint) -> Link {
        for &value in parts.operands {
            self.value_link(value);
        }
        for &block in parts.successors {
            self.block_link(block);
        }
        self.count_names(parts.successors, 1);
        let place = self.place(point);
        let Place { block, prev, next } = place.unwrap_or(Place::NONE);
        let n_operands = u16::try_from(parts.operands.len()).expect("at most 65,535 operands");
        let n_results = u16::try_from(parts.results.len()).expect("at most 65,535 results");
        let at = self.ops.next();
        let results = self.new_results(at, parts.results);
        let operands = self.new_operands(at, parts.operands.iter().map(|value| Link(value.index)));
        self.ops.insert(OpData {
            generation: 0,
            kind: parts.kind,
            n_operands,
            n_results,
            loc: parts.loc,
            props: parts.props,
            attrs: parts.attrs,
            operands,
            results,
            ext: u32::MAX,
            block,
            prev,
            next,
        });
        self.link_neighbors(at, place);
        at
    }

    /// Adds an extra record to an operation without one.
    pub(super) fn put_ext(&mut self, at: Link, ext: Ext) {
        self.ops[at].ext = match self.free_exts.pop() {
            Some(slot) => {
                self.exts[slot as usize] = ext;
                slot
            }
            None => {
                self.exts.push(ext);
                self.exts.len() as u32 - 1
            }
        };
    }

    /// Sets the successors without checks.
    pub(super) fn put_successors(&mut self, at: Link, successors: SmallVec<[Block; 2]>) {
        self.count_names(&successors, 1);
        match self.exts.get_mut(self.ops[at].ext as usize) {
            Some(ext) => {
                let old = std::mem::replace(&mut ext.successors, successors);
                self.count_names(&old, -1);
            }
            None if successors.is_empty() => {}
            None => self.put_ext(at, Ext { successors, ..Ext::default() }),
        }
    }

    #[inline]
    fn new_results(&mut self, op: Link, types: &[Type]) -> Link {
        let value = |ty| ValueData { generation: 0, ty, first_use: Link::NONE, def: PackedDef::op(op) };
        match types {
            [] => Link::NONE,
            [ty] => self.values.insert(value(*ty)),
            // Results are adjacent, so ranges are allocated at the end of the table.
            [first, rest @ ..] => {
                let start = self.values.push(value(*first));
                for ty in rest {
                    self.values.push(value(*ty));
                }
                start
            }
        }
    }

    fn attach_operands(&mut self, op: Link, values: impl ExactSizeIterator<Item = Link>) {
        self.ops[op].n_operands = u16::try_from(values.len()).expect("at most 65,535 operands");
        self.ops[op].operands = self.new_operands(op, values);
    }

    /// Allocates an operand range; returns its first slot.
    #[inline]
    fn new_operands(&mut self, op: Link, values: impl ExactSizeIterator<Item = Link>) -> u32 {
        let free = self.free_operands.pop(values.len());
        let start = free.unwrap_or(self.operands.len() as u32);
        for (at, value) in (start..).map(Link).zip(values) {
            let next = std::mem::replace(&mut self.values[value].first_use, at);
            let operand = Operand { value, next, prev: Link::NONE, owner: op };
            match free {
                Some(_) => self.operands[at.index()] = operand,
                None => self.operands.push(operand),
            }
            if next != Link::NONE {
                self.operands[next.index()].prev = at;
            }
        }
        start
    }

    pub(super) fn detach_operands(&mut self, op: Link) {
        let OpData { operands: start, n_operands, .. } = self.ops[op];
        for slot in start..start + u32::from(n_operands) {
            self.unlink_use(Link(slot));
        }
        self.free_operands.push(start, usize::from(n_operands));
        self.ops[op].n_operands = 0;
    }

    fn link_use(&mut self, slot: Link, value: Link) {
        let first = self.values[value].first_use;
        let owner = self.operands[slot.index()].owner;
        self.operands[slot.index()] = Operand { value, next: first, prev: Link::NONE, owner };
        if first != Link::NONE {
            self.operands[first.index()].prev = slot;
        }
        self.values[value].first_use = slot;
    }

    fn unlink_use(&mut self, slot: Link) {
        let Operand { value, next, prev, .. } = self.operands[slot.index()];
        match prev.some() {
            Some(prev) => self.operands[prev.index()].next = next,
            None => self.values[value].first_use = next,
        }
        if next != Link::NONE {
            self.operands[next.index()].prev = prev;
        }
    }

    /// The position of an insertion point; `None` for [`InsertionPoint::Detached`].
    ///
    /// # Panics
    /// Panics if the insertion point is relative to a detached operation.
    #[track_caller]
    #[inline]
    pub(super) fn place(&self, point: InsertionPoint) -> Option<Place> {
        let place = match point {
            InsertionPoint::Detached => return None,
            InsertionPoint::End(block) => {
                let block = self.block_link(block);
                Place { block, prev: self.blocks[block].last, next: Link::NONE }
            }
            InsertionPoint::Start(block) => {
                let block = self.block_link(block);
                Place { block, prev: Link::NONE, next: self.blocks[block].first }
            }
            InsertionPoint::Before(op) => {
                let next = self.op_link(op);
                Place { block: self.ops[next].block, prev: self.ops[next].prev, next }
            }
            InsertionPoint::After(op) => {
                let prev = self.op_link(op);
                Place { block: self.ops[prev].block, prev, next: self.ops[prev].next }
            }
        };
        assert!(place.block != Link::NONE, "an insertion point beside a detached operation");
        Some(place)
    }

    #[inline]
    pub(super) fn link_op(&mut self, at: Link, place: Option<Place>) {
        let Some(Place { block, prev, next }) = place else { return };
        let data = &mut self.ops[at];
        (data.block, data.prev, data.next) = (block, prev, next);
        self.link_neighbors(at, place);
    }

    /// Links the neighbors and the block of an operation to it.
    #[inline]
    fn link_neighbors(&mut self, at: Link, place: Option<Place>) {
        let Some(Place { block, prev, next }) = place else { return };
        match prev.some() {
            Some(prev) => self.ops[prev].next = at,
            None => self.blocks[block].first = at,
        }
        match next.some() {
            Some(next) => self.ops[next].prev = at,
            None => self.blocks[block].last = at,
        }
        self.blocks[block].n_ops += 1;
    }

    pub(super) fn unlink_op(&mut self, at: Link) {
        let OpData { block, prev, next, .. } = self.ops[at];
        if block == Link::NONE {
            return;
        }
        match prev.some() {
            Some(prev) => self.ops[prev].next = next,
            None => self.blocks[block].first = next,
        }
        match next.some() {
            Some(next) => self.ops[next].prev = prev,
            None => self.blocks[block].last = prev,
        }
        self.blocks[block].n_ops -= 1;
        let data = &mut self.ops[at];
        (data.block, data.prev, data.next) = (Link::NONE, Link::NONE, Link::NONE);
    }

    /// Moves an operation within the body.
    ///
    /// # Errors
    /// The position is inside the operation itself, or relative to a detached operation; the body is unchanged.
    #[track_caller]
    pub fn try_move_op(&mut self, op: Op, point: InsertionPoint) -> Result<(), EditError> {
        self.edits += 1;
        let at = self.op_link(op);
        if let InsertionPoint::Before(other) | InsertionPoint::After(other) = point {
            if other == op {
                return Ok(());
            }
            if self.op(other).block().is_none() {
                let [op, other] = [op, other].map(|op| self.op(op).name().to_owned());
                return Err(EditError::BesideDetached { op, other });
            }
        }
        // An operation without regions has no inside, so the ancestors need not be examined.
        if self.op(op).n_regions() > 0 && self.is_inside(point, op) {
            return Err(EditError::IntoOwnRegion { op: self.op(op).name().to_owned() });
        }
        // A stale block panics here, before the operation is unlinked.
        if let InsertionPoint::Start(block) | InsertionPoint::End(block) = point {
            self.block_link(block);
        }
        self.unlink_op(at);
        let place = self.place(point);
        self.link_op(at, place);
        Ok(())
    }

    /// Moves an operation within the body.
    ///
    /// # Panics
    /// Panics under the conditions of the errors of [`Body::try_move_op`].
    #[track_caller]
    pub fn move_op(&mut self, op: Op, point: InsertionPoint) {
        if let Err(error) = self.try_move_op(op, point) {
            panic!("{error}");
        }
    }

    /// Whether an insertion point is nested in an operation.
    #[track_caller]
    pub(super) fn is_inside(&self, point: InsertionPoint, op: Op) -> bool {
        let mut around = match point {
            InsertionPoint::End(block) | InsertionPoint::Start(block) => self.block(block).parent(),
            InsertionPoint::Before(other) | InsertionPoint::After(other) => self.op(other).parent(),
            InsertionPoint::Detached => None,
        };
        while let Some(outer) = around {
            if outer == op {
                return true;
            }
            around = self.op(outer).parent();
        }
        false
    }

    /// Replaces all uses of `from` by `to`. The use list is spliced as a whole; each use takes one write.
    #[track_caller]
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        self.edits += 1;
        let (from, to) = (self.value_link(from), self.value_link(to));
        if from == to {
            return;
        }
        let Some(first) = std::mem::replace(&mut self.values[from].first_use, Link::NONE).some() else {
            return;
        };
        let mut last = first;
        loop {
            let slot = &mut self.operands[last.index()];
            slot.value = to;
            match slot.next.some() {
                Some(next) => last = next,
                None => break,
            }
        }
        let rest = std::mem::replace(&mut self.values[to].first_use, first);
        self.operands[last.index()].next = rest;
        if rest != Link::NONE {
            self.operands[rest.index()].prev = last;
        }
    }

    /// Replaces the uses of `from` that `choose` accepts by `to`.
    #[track_caller]
    pub fn replace_uses_if(&mut self, from: Value, to: Value, mut choose: impl FnMut(super::Use) -> bool) {
        self.edits += 1;
        let (from, to) = (self.value_link(from), self.value_link(to));
        if from == to {
            return;
        }
        let mut at = self.values[from].first_use;
        while at != Link::NONE {
            let Operand { next, owner, .. } = self.operands[at.index()];
            let index = (at.0 - self.ops[owner].operands) as usize;
            if choose(super::Use { op: self.op_id(owner), index }) {
                self.unlink_use(at);
                self.link_use(at, to);
            }
            at = next;
        }
    }

    /// Replaces the results of an operation by other values, and erases the operation.
    ///
    /// # Panics
    /// Panics if the number of values is not the number of results.
    #[track_caller]
    pub fn replace(&mut self, op: Op, with: &[Value]) {
        let results: SmallVec<[Value; 4]> = self.op(op).results().collect();
        assert_eq!(results.len(), with.len(), "one value for each result of '{}'", self.op(op).name());
        for (&result, &value) in results.iter().zip(with) {
            self.replace_all_uses(result, value);
        }
        self.erase(op);
    }

    /// Sets an operand.
    ///
    /// # Panics
    /// Panics if the operand does not exist.
    #[track_caller]
    pub fn set_operand(&mut self, op: Op, index: usize, value: Value) {
        self.edits += 1;
        let (at, value) = (self.op_link(op), self.value_link(value));
        assert!(index < usize::from(self.ops[at].n_operands), "no operand {index}");
        let slot = Link(self.ops[at].operands + index as u32);
        self.unlink_use(slot);
        self.link_use(slot, value);
    }

    /// Sets all operands; their number may change.
    #[track_caller]
    pub fn set_operands(&mut self, op: Op, values: &[Value]) {
        self.edits += 1;
        let at = self.op_link(op);
        let values: SmallVec<[Link; 8]> = values.iter().map(|&value| self.value_link(value)).collect();
        self.detach_operands(at);
        self.attach_operands(at, values.into_iter());
    }

    /// Sets the operands of a declared group, by its index in the declaration; their number may change, which updates
    /// the segment sizes. See [`OpRef::operand_group`](crate::OpRef::operand_group).
    #[track_caller]
    pub fn set_operand_group(&mut self, op: Op, group: usize, values: &[Value]) {
        let view = self.op(op);
        let mut operands: SmallVec<[Value; 8]> = view.operands().collect();
        let range = view.operand_range(group);
        operands.drain(range.clone());
        operands.insert_many(range.start, values.iter().copied());
        if view.has_trait(Traits::OPERAND_SEGMENTS) {
            let groups = view.spec().map_or(0, |spec| spec.operands.len());
            let size = |at: usize| if at == group { values.len() } else { view.operand_range(at).len() };
            let sizes: SmallVec<[i32; 4]> = (0..groups).map(|at| size(at) as i32).collect();
            let (name, sizes) = (self.ctx.names().operand_segments, Attr::dense_i32(&self.ctx, &sizes));
            self.set_attr(op, name, Some(sizes));
        }
        self.set_operands(op, &operands);
    }

    /// Sets the type of a value. Does not check its users: the verifier does.
    #[track_caller]
    pub fn set_type(&mut self, value: Value, ty: Type) {
        self.edits += 1;
        let at = self.value_link(value);
        self.values[at].ty = ty;
    }

    /// Sets the kind of an operation; keeps operands, results, attributes and regions.
    ///
    /// # Panics
    /// Panics if exactly one of the two kinds is isolated from above.
    #[track_caller]
    pub fn set_kind(&mut self, op: Op, kind: OpKind) {
        self.edits += 1;
        let at = self.op_link(op);
        let isolated = |kind| self.traits_of(kind).has(Traits::ISOLATED);
        assert_eq!(isolated(self.ops[at].kind), isolated(kind), "isolation cannot change");
        self.ops[at].kind = kind;
    }

    /// Sets the location of an operation.
    #[track_caller]
    pub fn set_loc(&mut self, op: Op, loc: Loc) {
        self.edits += 1;
        let at = self.op_link(op);
        self.ops[at].loc = loc;
    }

    /// Sets the dictionary of inherent attributes.
    #[track_caller]
    pub fn set_props(&mut self, op: Op, props: Attr) {
        self.edits += 1;
        let at = self.op_link(op);
        self.ops[at].props = props;
    }

    /// Sets the dictionary of discardable attributes.
    #[track_caller]
    pub fn set_attrs(&mut self, op: Op, attrs: Attr) {
        self.edits += 1;
        let at = self.op_link(op);
        self.ops[at].attrs = attrs;
    }

    /// Sets or removes an attribute, among the inherent ones if it is declared.
    #[track_caller]
    pub fn set_attr(&mut self, op: Op, name: Name, value: Option<Attr>) {
        self.edits += 1;
        let at = self.op_link(op);
        let info = self.ctx.info(self.ops[at].kind);
        let inherent = info.is_some_and(|info| info.is_inherent(name));
        let old = if inherent { self.ops[at].props } else { self.ops[at].attrs };
        let mut entries = old.as_dictionary(&self.ctx).unwrap_or(&[]).to_vec();
        entries.retain(|(entry, _)| *entry != name);
        entries.extend(value.map(|value| (name, value)));
        let new = Attr::dictionary(&self.ctx, &entries);
        if inherent {
            self.ops[at].props = new;
        } else {
            self.ops[at].attrs = new;
        }
    }
}
