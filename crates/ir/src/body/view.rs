//! Read-only views with validated ids: validated once, then accessed without checks.

mod block;
mod region;

pub use block::BlockRef;
pub use region::RegionRef;

use super::arena::Link;
use super::{Block, Body, Op, OpData, Region, Value};
use crate::{Attr, Context, Loc, Name, OpDef, OpKind, OpSpec, OpTrait, ServiceKind, Traits, Type};
use smallvec::SmallVec;
use std::iter::successors;

/// A view of an operation.
#[derive(Clone, Copy)]
pub struct OpRef<'a> {
    body: &'a Body,
    data: &'a OpData,
    at: Link,
}

impl<'a> OpRef<'a> {
    /// The context.
    #[inline]
    pub fn context(self) -> &'a Context {
        &self.body.ctx
    }

    /// The implementation of a service for the operation: its own, that of its dialect, or the default.
    #[inline]
    pub fn service<S: ServiceKind + ?Sized>(self) -> Option<&'a S> {
        self.body.ctx.service(self.kind())
    }

    #[inline]
    pub(super) fn new(body: &'a Body, at: Link) -> Self {
        Self { body, data: &body.ops[at], at }
    }

    #[inline]
    fn data(self) -> &'a OpData {
        self.data
    }

    /// The id.
    #[inline]
    pub fn id(self) -> Op {
        self.body.op_id(self.at)
    }

    /// The body that contains it.
    #[inline]
    pub fn body(self) -> &'a Body {
        self.body
    }

    /// The kind.
    #[inline]
    pub fn kind(self) -> OpKind {
        self.data().kind
    }

    /// The full name, such as `arith.addf`.
    #[inline]
    pub fn name(self) -> &'a str {
        self.body.ctx.kind_name(self.kind())
    }

    /// The declaration, if the dialect is loaded.
    #[inline]
    pub fn spec(self) -> Option<&'static OpSpec> {
        self.body.ctx.spec(self.kind())
    }

    /// Whether the operation is an `O`.
    pub fn is<O: OpDef>(self) -> bool {
        self.spec().is_some_and(|spec| std::ptr::eq(spec, O::SPEC))
    }

    /// Downcasts to the op type `O`; `None` if the operation is of another kind.
    pub fn cast<O: OpDef>(self) -> Option<O> {
        self.is::<O>().then(|| O::from_op_unchecked(self.id()))
    }

    /// The traits; none if the dialect is not loaded.
    #[inline]
    pub fn traits(self) -> Traits {
        self.body.traits_of(self.kind())
    }

    /// Whether the operation has all of these traits.
    #[inline]
    pub fn has_trait(self, traits: Traits) -> bool {
        self.traits().has(traits)
    }

    /// The traits; those that [`ForeignDialect`](crate::ForeignDialect) states if the dialect is not loaded.
    pub fn known_traits(self) -> Traits {
        match self.spec() {
            Some(_) => self.traits(),
            None => self.context().foreign_traits(self.name()),
        }
    }

    /// Whether the operation has a trait declared outside of this crate.
    pub fn has_op_trait<T: OpTrait>(self) -> bool {
        let key = std::any::TypeId::of::<T>();
        self.spec().is_some_and(|spec| spec.op_traits.iter().any(|other| (other.key)() == key))
    }

    /// The location.
    #[inline]
    pub fn loc(self) -> Loc {
        self.data().loc
    }

    /// The number of operands.
    #[inline]
    pub fn n_operands(self) -> usize {
        usize::from(self.data().n_operands)
    }

    /// An operand.
    ///
    /// # Panics
    /// If the index is out of range.
    #[inline]
    #[track_caller]
    pub fn operand(self, index: usize) -> Value {
        assert!(index < self.n_operands(), "operand {index} of an operation with {}", self.n_operands());
        let slot = self.body.operands[self.data().operands as usize + index];
        self.body.value_id(slot.value)
    }

    /// The operands.
    #[inline]
    pub fn operands(self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + 'a {
        self.operand_slots().iter().map(move |slot| self.body.value_id(slot.value))
    }

    /// The number of results.
    #[inline]
    pub fn n_results(self) -> usize {
        usize::from(self.data().n_results)
    }

    /// A result.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    #[inline]
    #[track_caller]
    pub fn result(self, index: usize) -> Value {
        assert!(index < self.n_results(), "result {index} of an operation with {}", self.n_results());
        self.body.value_id(Link(self.data().results.0 + index as u32))
    }

    /// The results.
    #[inline]
    pub fn results(self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + 'a {
        let first = self.data().results.0;
        (0..u32::from(self.data().n_results))
            .map(move |index| self.body.value_id(Link(first.wrapping_add(index))))
    }

    /// The types of the operands.
    #[inline]
    pub fn operand_types(self) -> impl DoubleEndedIterator<Item = Type> + ExactSizeIterator + 'a {
        self.operand_slots().iter().map(move |slot| self.body.values[slot.value].ty)
    }

    /// The types of the results.
    #[inline]
    pub fn result_types(self) -> impl DoubleEndedIterator<Item = Type> + ExactSizeIterator + 'a {
        self.result_indices().map(move |at| self.body.values.slots[at].ty)
    }

    /// The [`Value::index`] of each operand.
    #[inline]
    pub(crate) fn operand_indices(self) -> impl ExactSizeIterator<Item = usize> + 'a {
        self.operand_slots().iter().map(|slot| slot.value.index())
    }

    /// The [`Value::index`] of each result.
    #[inline]
    pub(crate) fn result_indices(self) -> std::ops::Range<usize> {
        match usize::from(self.data().n_results) {
            0 => 0..0,
            count => self.data().results.index()..self.data().results.index() + count,
        }
    }

    #[inline]
    fn operand_slots(self) -> &'a [super::Operand] {
        let data = self.data();
        match usize::from(data.n_operands) {
            0 => &[],
            count => &self.body.operands[data.operands as usize..][..count],
        }
    }

    /// The operands of a declared group, by its index in the declaration. Sizes of variadic groups are given by the
    /// segment sizes, or inferred if there is a single one.
    pub fn operand_group(self, index: usize) -> Vec<Value> {
        let range = self.operand_range(index);
        self.operands().skip(range.start).take(range.len()).collect()
    }

    /// The results of a declared group, by its index in the declaration.
    pub fn result_group(self, index: usize) -> Vec<Value> {
        let range = self.result_range(index);
        self.results().skip(range.start).take(range.len()).collect()
    }

    /// The operand indices of a declared group; see [`OpRef::operand_group`].
    #[inline]
    pub fn operand_range(self, index: usize) -> std::ops::Range<usize> {
        match self.spec().map_or(&[][..], |spec| spec.operands) {
            specs if are_single(specs, self.n_operands()) && index < specs.len() => index..index + 1,
            specs => self.group(specs, index, true),
        }
    }

    /// The result indices of a declared group.
    #[inline]
    pub fn result_range(self, index: usize) -> std::ops::Range<usize> {
        match self.spec().map_or(&[][..], |spec| spec.results) {
            specs if are_single(specs, self.n_results()) && index < specs.len() => index..index + 1,
            specs => self.group(specs, index, false),
        }
    }

    /// The indices of a declared group among operands or results. Invalid segment sizes are clipped: the verifier
    /// reports them.
    fn group(self, specs: &[crate::ValueSpec], index: usize, operands: bool) -> std::ops::Range<usize> {
        let total = if operands { self.n_operands() } else { self.n_results() };
        let names = self.body.ctx.names();
        let segments = if operands { names.operand_segments } else { names.result_segments };
        let segmented = if operands { Traits::OPERAND_SEGMENTS } else { Traits::RESULT_SEGMENTS };
        let sizes = if self.has_trait(segmented) { self.attr(segments) } else { None };
        if let Some(sizes) = sizes.and_then(|attr| attr.as_dense_i32(&self.body.ctx)) {
            let size = |at: usize| sizes.get(at).map_or(0, |&size| size.max(0) as usize);
            let start: usize = (0..index).map(size).sum();
            return start.min(total)..(start + size(index)).min(total);
        }
        let is_one = |spec: &crate::ValueSpec| spec.arity == crate::Arity::One;
        let fixed = specs.iter().filter(|spec| is_one(spec)).count();
        let rest = total.saturating_sub(fixed);
        let size = |at: usize| if specs.get(at).is_some_and(is_one) { 1 } else { rest };
        let start: usize = (0..index).map(size).sum();
        start.min(total)..(start + size(index)).min(total)
    }

    /// The dictionary of inherent attributes.
    #[inline]
    pub fn props(self) -> Attr {
        self.data().props
    }

    /// The dictionary of discardable attributes.
    #[inline]
    pub fn attrs(self) -> Attr {
        self.data().attrs
    }

    /// An attribute, inherent or discardable.
    #[inline]
    pub fn attr(self, name: Name) -> Option<Attr> {
        let ctx = &self.body.ctx;
        self.props().get(ctx, name).or_else(|| self.attrs().get(ctx, name))
    }

    /// An attribute, inherent or discardable, by the text of its name.
    pub fn attr_named(self, name: &str) -> Option<Attr> {
        let ctx = &self.body.ctx;
        let find = |attr: Attr| {
            attr.as_dictionary(ctx)?
                .iter()
                .find(|(entry, _)| entry.as_str(ctx) == name)
                .map(|&(_, attr)| attr)
        };
        find(self.props()).or_else(|| find(self.attrs()))
    }

    /// The value of an attribute, inherent or discardable; `None` if it is absent or of another kind.
    pub fn attr_value<T: crate::AttrValue>(self, name: &str) -> Option<T::Get<'a>> {
        T::from_attr(&self.body.ctx, self.attr_named(name)?)
    }

    /// The name of the symbol that it defines.
    pub fn symbol_name(self) -> Option<&'a str> {
        self.attr(self.body.ctx.names().sym_name)?.as_str(&self.body.ctx)
    }

    /// The number of regions, whichever body contains them; see [`OpRef::inside`].
    #[inline]
    pub fn n_regions(self) -> usize {
        self.ext().map_or(0, |ext| ext.nested.as_deref().map_or(ext.regions.len(), |body| body.roots.len()))
    }

    /// The regions that are in the operation's own body: all of them, or none for an isolated operation, whose regions are in
    /// its [nested](OpRef::nested) body. [`OpRef::inside`] is for either kind.
    #[inline]
    pub fn own_regions(self) -> impl ExactSizeIterator<Item = Region> + 'a {
        let regions = self.ext().map_or(&[][..], |ext| &ext.regions[..]);
        regions.iter().map(move |&region| self.body.region_id(region))
    }

    /// One of [`OpRef::own_regions`], in constant time; `None` if it does not exist.
    #[inline]
    pub fn own_region(self, index: usize) -> Option<Region> {
        let &region = self.ext()?.regions.get(index)?;
        Some(self.body.region_id(region))
    }

    /// One of [`OpRef::own_regions`].
    ///
    /// # Panics
    /// Panics if the region does not exist, or the operation is isolated.
    #[track_caller]
    #[inline]
    pub fn region(self, index: usize) -> Region {
        self.own_region(index).unwrap_or_else(|| panic!("'{}' has no region {index}", self.name()))
    }

    /// The regions of the operation, and the body that contains them: the nested body of an isolated operation,
    /// otherwise its own body.
    pub fn inside(self) -> (&'a Body, SmallVec<[Region; 2]>) {
        match self.ext() {
            None => (self.body, SmallVec::new()),
            Some(super::Ext { nested: Some(body), .. }) => (body, body.regions().collect()),
            Some(_) => (self.body, self.own_regions().collect()),
        }
    }

    /// One of the regions of [`OpRef::inside`] and the body that contains it, in constant time; `None` if it does not
    /// exist.
    pub fn region_inside(self, index: usize) -> Option<(&'a Body, Region)> {
        match self.nested() {
            Some(body) => Some((body, body.regions().nth(index)?)),
            None => Some((self.body, self.own_region(index)?)),
        }
    }

    /// The body of an isolated operation.
    #[inline]
    pub fn nested(self) -> Option<&'a Body> {
        self.ext()?.nested.as_deref()
    }

    /// The successor blocks. An id is stale if its block was erased from another region.
    #[inline]
    pub fn successors(self) -> impl ExactSizeIterator<Item = Block> + 'a {
        let successors = self.ext().map_or(&[][..], |ext| &ext.successors[..]);
        successors.iter().copied()
    }

    /// The number of successors.
    #[inline]
    pub fn n_successors(self) -> usize {
        self.ext().map_or(0, |ext| ext.successors.len())
    }

    #[inline]
    fn ext(self) -> Option<&'a super::Ext> {
        self.body.exts.get(self.data().ext as usize)
    }

    /// The block that contains it; `None` if it is detached.
    #[inline]
    pub fn block(self) -> Option<Block> {
        self.data().block.some().map(|block| self.body.block_id(block))
    }

    /// The preceding operation in its block.
    #[inline]
    pub fn prev(self) -> Option<Op> {
        self.data().prev.some().map(|op| self.body.op_id(op))
    }

    /// The following operation in its block.
    #[inline]
    pub fn next(self) -> Option<Op> {
        self.data().next.some().map(|op| self.body.op_id(op))
    }

    /// The following operation in its block, as a view.
    #[inline]
    pub(crate) fn following(self) -> Option<OpRef<'a>> {
        self.data().next.some().map(|op| OpRef::new(self.body, op))
    }

    /// The parent operation; `None` at the top of its body, or if it is detached.
    #[inline]
    pub fn parent(self) -> Option<Op> {
        let block = self.data().block.some()?;
        let region = self.body.blocks[block].region.some()?;
        self.body.regions[region].parent.some().map(|op| self.body.op_id(op))
    }

    /// The operation and its ancestors in this body, innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = OpRef<'a>> {
        successors(Some(self), |op| op.parent().map(|parent| op.body.op(parent)))
    }
}

/// Whether each of `count` values is a separate group.
#[inline]
fn are_single(specs: &[crate::ValueSpec], count: usize) -> bool {
    specs.len() == count && specs.iter().all(|spec| spec.arity == crate::Arity::One)
}
