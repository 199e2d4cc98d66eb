//! The body: the storage of one isolated-from-above operation, an arena of operations, blocks, regions and values.

mod arena;
mod blocks;
mod check;
mod clone;
mod edit;
mod erase;
mod error;
mod parts;
mod state;
mod storage;
mod view;
mod walk;

pub use clone::Mapping;
pub use error::{EditError, InvalidId};
pub(crate) use parts::OpParts;
pub use state::OpState;
pub use view::{BlockRef, OpRef, RegionRef};

use crate::{Context, Loc, OpKind, Traits, Type};
use arena::{Arena, FreeList, Link};
use smallvec::SmallVec;
use std::fmt;
use std::num::NonZeroU32;
use storage::{
    Arg, BlockData, DefLink, Ext, FreeOperands, OpData, Operand, PackedDef, RegionData, ValueData,
};

macro_rules! ids {
    ($($name:ident $arena:ident $id:ident $link:ident $what:literal $doc:literal)*) => {$(
        #[doc = $doc]
        ///
        /// An 8-byte id, unique to one entity of one [`Body`]; it is never reused.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name {
            index: u32,
            stamp: NonZeroU32,
        }

        impl $name {
            /// A dense number in its body, for side tables; numbers of erased entities are reused.
            #[inline]
            pub fn index(self) -> usize {
                self.index as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($what, " {} of body #{}"), self.index, arena::tag_of(self.stamp))
            }
        }

        impl Body {
            #[inline]
            pub(crate) fn $id(&self, at: Link) -> $name {
                $name { index: at.0, stamp: self.$arena.stamp(at) }
            }

            #[inline]
            #[track_caller]
            pub(crate) fn $link(&self, id: $name) -> Link {
                match self.$arena.check(id.index, id.stamp) {
                    Some(link) => link,
                    None => self.$arena.refuse(&id, id.stamp),
                }
            }
        }
    )*};
}

ids! {
    Op ops op_id op_link "operation" "An operation of a [`Body`]."
    Block blocks block_id block_link "block" "A block of a [`Body`]."
    Region regions region_id region_link "region" "A region of a [`Body`]."
    Value values value_id value_link "value" "A value of a [`Body`]: a result of an operation or an argument of a block."
}

/// The body of an isolated-from-above operation.
///
/// A body has its own regions ([`Body::regions`]), which are those of the operation that owns it. Nested isolated
/// operations own nested bodies ([`Body::nested`]), which can be mutated in parallel.
pub struct Body {
    ctx: Context,
    tag: u32,
    ops: Arena<OpData>,
    values: Arena<ValueData>,
    blocks: Arena<BlockData>,
    regions: Arena<RegionData>,
    operands: Vec<Operand>,
    /// The free operand ranges.
    free_operands: FreeOperands,
    exts: Vec<Ext>,
    free_exts: FreeList,
    roots: SmallVec<[Link; 1]>,
    /// The number of mutations.
    edits: u64,
}

/// A position at which operations are inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertionPoint {
    /// After the last operation of a block.
    End(Block),
    /// Before the first operation of a block.
    Start(Block),
    /// Before an operation.
    Before(Op),
    /// After an operation.
    After(Op),
    /// No position.
    Detached,
}

/// The definition of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Def {
    /// A result of an operation, by index.
    Result(Op, usize),
    /// A block argument, by index.
    Arg(Block, usize),
}

/// A use of a value: operand `index` of `op`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    /// The user.
    pub op: Op,
    /// The operand index.
    pub index: usize,
}

impl Body {
    /// Creates a body with `regions` empty regions.
    pub fn new(ctx: &Context, regions: usize) -> Self {
        let tag = ctx.new_body_tag();
        let mut body = Self {
            ctx: ctx.clone(),
            tag,
            ops: Arena::new(tag),
            values: Arena::new(tag),
            blocks: Arena::new(tag),
            regions: Arena::new(tag),
            operands: Vec::new(),
            free_operands: FreeOperands::default(),
            exts: Vec::new(),
            free_exts: FreeList::default(),
            roots: SmallVec::new(),
            edits: 0,
        };
        for _ in 0..regions {
            let region = RegionData::of(Link::NONE);
            let region = body.regions.push(region);
            body.roots.push(region);
        }
        body
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.ctx
    }

    /// The body's own regions: those of the operation that owns it.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = Region> + '_ {
        self.roots.iter().map(|&region| self.region_id(region))
    }

    /// The body's own regions and those of all operations in it, in unspecified order.
    pub(crate) fn all_regions(&self) -> impl Iterator<Item = Region> + '_ {
        let inner = self.exts.iter().flat_map(|ext| &ext.regions);
        self.roots.iter().chain(inner).map(|&region| self.region_id(region))
    }

    /// One of the body's own regions.
    ///
    /// # Panics
    /// Panics if the region does not exist.
    pub fn root(&self, index: usize) -> Region {
        self.region_id(self.roots[index])
    }

    /// One more than the largest [`Op::index`] so far, the size of a side table.
    pub fn op_capacity(&self) -> usize {
        self.ops.slots.len()
    }

    /// One more than the largest [`Value::index`] so far.
    pub fn value_capacity(&self) -> usize {
        self.values.slots.len()
    }

    /// One more than the largest [`Block::index`] so far.
    pub fn block_capacity(&self) -> usize {
        self.blocks.slots.len()
    }

    /// The type of a value.
    #[inline]
    #[track_caller]
    pub fn ty(&self, value: Value) -> Type {
        self.values[self.value_link(value)].ty
    }

    /// The definition of a value.
    ///
    /// # Panics
    /// Panics if the id is stale or foreign.
    #[track_caller]
    pub fn def(&self, value: Value) -> Def {
        let at = self.value_link(value);
        match self.values[at].def.unpack() {
            DefLink::Op(op) => Def::Result(self.op_id(op), (at.0 - self.ops[op].results.0) as usize),
            DefLink::Block(block) => {
                let args = &self.blocks[block].args;
                // Arguments are usually created consecutively, so their slots determine the index.
                let guess = args.first().map_or(0, |first| at.0.wrapping_sub(first.value.0) as usize);
                let index = match args.get(guess).is_some_and(|arg| arg.value == at) {
                    true => Some(guess),
                    false => args.iter().position(|arg| arg.value == at),
                };
                Def::Arg(self.block_id(block), index.expect("a block lists its arguments"))
            }
        }
    }

    /// The operation that defines a value; `None` for a block argument.
    #[track_caller]
    pub fn defining_op(&self, value: Value) -> Option<Op> {
        match self.values[self.value_link(value)].def.unpack() {
            DefLink::Op(op) => Some(self.op_id(op)),
            DefLink::Block(_) => None,
        }
    }

    /// The block in which a value is defined; `None` if its operation is detached.
    #[track_caller]
    pub fn block_of(&self, value: Value) -> Option<Block> {
        match self.values[self.value_link(value)].def.unpack() {
            DefLink::Op(op) => self.op(self.op_id(op)).block(),
            DefLink::Block(block) => Some(self.block_id(block)),
        }
    }

    /// The uses of a value, most recent first. Output must not depend on this order.
    #[track_caller]
    pub fn uses(&self, value: Value) -> impl Iterator<Item = Use> + '_ {
        let first = self.values[self.value_link(value)].first_use;
        std::iter::successors(first.some(), |&at| self.operands[at.index()].next.some()).map(|at| {
            let owner = self.operands[at.index()].owner;
            Use { op: self.op_id(owner), index: (at.0 - self.ops[owner].operands) as usize }
        })
    }

    /// Whether a value has a use.
    #[track_caller]
    pub fn is_used(&self, value: Value) -> bool {
        self.values[self.value_link(value)].first_use != Link::NONE
    }

    /// The only use of a value, if there is exactly one.
    #[track_caller]
    pub fn only_use(&self, value: Value) -> Option<Use> {
        let mut uses = self.uses(value);
        uses.next().filter(|_| uses.next().is_none())
    }

    /// The operation with this id.
    ///
    /// # Errors
    /// The id does not refer to an operation of this body.
    pub fn try_op(&self, op: Op) -> Result<OpRef<'_>, InvalidId> {
        match self.ops.check(op.index, op.stamp) {
            Some(at) => Ok(OpRef::new(self, at)),
            None => Err(self.ops.invalid(&op, op.stamp)),
        }
    }

    /// The type of a value.
    ///
    /// # Errors
    /// The id does not refer to a value of this body.
    pub fn try_ty(&self, value: Value) -> Result<Type, InvalidId> {
        match self.values.check(value.index, value.stamp) {
            Some(at) => Ok(self.values[at].ty),
            None => Err(self.values.invalid(&value, value.stamp)),
        }
    }

    /// Whether an id refers to an operation of this body.
    pub fn contains(&self, op: Op) -> bool {
        self.ops.check(op.index, op.stamp).is_some()
    }

    /// Whether an id refers to a value of this body.
    pub fn contains_value(&self, value: Value) -> bool {
        self.values.check(value.index, value.stamp).is_some()
    }

    /// Whether an id refers to a block of this body.
    pub fn contains_block(&self, block: Block) -> bool {
        self.blocks.check(block.index, block.stamp).is_some()
    }

    /// Whether an id refers to a region of this body.
    pub fn contains_region(&self, region: Region) -> bool {
        self.regions.check(region.index, region.stamp).is_some()
    }

    /// The operation with this id, as a checked view.
    ///
    /// # Panics
    /// Panics if the id is stale or foreign; see [`Body::try_op`].
    #[inline]
    #[track_caller]
    pub fn op(&self, op: Op) -> OpRef<'_> {
        OpRef::new(self, self.op_link(op))
    }

    /// The block with this id, as a checked view.
    ///
    /// # Panics
    /// Panics if the id is stale or foreign.
    #[inline]
    #[track_caller]
    pub fn block(&self, block: Block) -> BlockRef<'_> {
        BlockRef::new(self, self.block_link(block))
    }

    /// The region with this id, as a checked view.
    ///
    /// # Panics
    /// Panics if the id is stale or foreign.
    #[inline]
    #[track_caller]
    pub fn region(&self, region: Region) -> RegionRef<'_> {
        RegionRef::new(self, self.region_link(region))
    }

    /// The location of a block argument, or of the operation that defines a result.
    ///
    /// # Panics
    /// Panics if the id is stale or foreign.
    #[track_caller]
    pub fn value_loc(&self, value: Value) -> Loc {
        match self.def(value) {
            Def::Result(op, _) => self.op(op).loc(),
            Def::Arg(block, index) => {
                let args = &self.blocks[self.block_link(block)].args;
                args.get(index).map_or(Loc::UNKNOWN, |arg| arg.loc)
            }
        }
    }

    /// The body of an isolated operation.
    #[track_caller]
    pub fn nested(&self, op: Op) -> Option<&Body> {
        self.op(op).nested()
    }

    /// The body of an isolated operation, mutably.
    #[track_caller]
    pub fn nested_mut(&mut self, op: Op) -> Option<&mut Body> {
        let ext = self.ops[self.op_link(op)].ext;
        self.exts.get_mut(ext as usize)?.nested.as_deref_mut()
    }

    /// The nested bodies, for mutating them in parallel.
    pub fn nested_bodies_mut(&mut self) -> impl Iterator<Item = &mut Body> {
        self.exts.iter_mut().filter_map(|ext| ext.nested.as_deref_mut())
    }

    fn traits_of(&self, kind: OpKind) -> Traits {
        self.ctx.info(kind).map_or(Traits::NONE, |info| info.traits)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("tag", &self.tag).field("op_capacity", &self.op_capacity()).finish()
    }
}
