//! Edits: create, move, erase, replace. Use lists and block lists stay exact through each of them.

use super::arena::Link;
use super::{
    Block, BlockData, Body, DEF_IS_BLOCK, Ext, Op, OpData, OpState, Operand, Point, Region, RegionData,
    Value, ValueData,
};
use crate::{Attr, Loc, Name, OpKind, Traits, Type};
use smallvec::SmallVec;

impl Body {
    /// Creates an operation. Its regions exist, without blocks; those of an isolated operation are in
    /// [`Body::nested`].
    ///
    /// # Panics
    /// If an id of `state` is stale or of another body, or there are more than 65,535 operands or results.
    #[track_caller]
    pub fn create(&mut self, state: &OpState, point: Point) -> Op {
        let traits = self.traits_of(state.kind);
        let operands: SmallVec<[Link; 8]> =
            state.operands.iter().map(|&value| self.value_link(value)).collect();
        let successors: SmallVec<[Link; 2]> =
            state.successors.iter().map(|&block| self.block_link(block)).collect();
        let at = self.ops.insert(OpData {
            stamp: 0,
            kind: state.kind,
            n_operands: 0,
            n_results: u16::try_from(state.results.len()).expect("at most 65,535 results"),
            loc: state.loc,
            props: state.props,
            attrs: state.attrs,
            operands: 0,
            results: Link::NONE,
            ext: u32::MAX,
            block: Link::NONE,
            prev: Link::NONE,
            next: Link::NONE,
        });
        self.ops[at].results = self.new_results(at, &state.results);
        self.attach_operands(at, &operands);
        if state.regions > 0 || !successors.is_empty() || traits.has(Traits::ISOLATED) {
            let mut ext = Ext { successors, ..Ext::default() };
            if traits.has(Traits::ISOLATED) {
                ext.nested = Some(Box::new(Body::new(&self.ctx, state.regions)));
            } else {
                for _ in 0..state.regions {
                    let region = RegionData { stamp: 0, parent: at, blocks: SmallVec::new() };
                    ext.regions.push(self.regions.insert(region));
                }
            }
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
        self.link_op(at, point);
        self.op_id(at)
    }

    fn new_results(&mut self, op: Link, types: &[Type]) -> Link {
        let value = |ty| ValueData { stamp: 0, ty, first_use: Link::NONE, def: op.0 };
        match types {
            [] => Link::NONE,
            [ty] => self.values.insert(value(*ty)),
            // Results are neighbours, so ranges come from the end of the table.
            [first, rest @ ..] => {
                let start = self.values.push(value(*first));
                for ty in rest {
                    self.values.push(value(*ty));
                }
                start
            }
        }
    }

    fn attach_operands(&mut self, op: Link, values: &[Link]) {
        let count = values.len();
        let start = match count.checked_sub(1).and_then(|class| self.free_operands.get_mut(class)?.pop()) {
            Some(start) => start,
            None => {
                let start = self.operands.len() as u32;
                let empty = Operand { value: Link::NONE, next: Link::NONE, prev: Link::NONE, owner: op };
                self.operands.resize(start as usize + count, empty);
                start
            }
        };
        self.ops[op].operands = start;
        self.ops[op].n_operands = u16::try_from(count).expect("at most 65,535 operands");
        for (index, &value) in values.iter().enumerate() {
            self.operands[start as usize + index].owner = op;
            self.link_use(Link(start + index as u32), value);
        }
    }

    fn detach_operands(&mut self, op: Link) {
        let OpData { operands: start, n_operands, .. } = self.ops[op];
        for slot in start..start + u32::from(n_operands) {
            self.unlink_use(Link(slot));
        }
        if let Some(free) =
            usize::from(n_operands).checked_sub(1).and_then(|class| self.free_operands.get_mut(class))
        {
            free.push(start);
        }
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

    fn link_op(&mut self, at: Link, point: Point) {
        let (block, prev, next) = match point {
            Point::Detached => return,
            Point::End(block) => {
                let block = self.block_link(block);
                (block, self.blocks[block].last, Link::NONE)
            }
            Point::Start(block) => {
                let block = self.block_link(block);
                (block, Link::NONE, self.blocks[block].first)
            }
            Point::Before(op) => {
                let next = self.op_link(op);
                (self.ops[next].block, self.ops[next].prev, next)
            }
            Point::After(op) => {
                let prev = self.op_link(op);
                (self.ops[prev].block, prev, self.ops[prev].next)
            }
        };
        assert!(block != Link::NONE, "an insertion point beside a detached operation");
        let data = &mut self.ops[at];
        (data.block, data.prev, data.next) = (block, prev, next);
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

    fn unlink_op(&mut self, at: Link) {
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

    /// Moves an operation to another place of the body.
    ///
    /// # Errors
    /// If that place is inside the operation itself.
    #[track_caller]
    pub fn move_op(&mut self, op: Op, point: Point) -> Result<(), String> {
        let at = self.op_link(op);
        let mut around = match point {
            Point::End(block) | Point::Start(block) => self.block(block).parent(),
            Point::Before(other) | Point::After(other) if other == op => return Ok(()),
            Point::Before(other) | Point::After(other) => self.op(other).parent(),
            Point::Detached => None,
        };
        while let Some(outer) = around {
            if outer == op {
                return Err(format!("'{}' cannot be moved into its own region", self.op(op).name()));
            }
            around = self.op(outer).parent();
        }
        self.unlink_op(at);
        self.link_op(at, point);
        Ok(())
    }

    /// Erases an operation and everything inside it.
    ///
    /// # Errors
    /// If a result of it is used outside of it; the body is unchanged then.
    #[track_caller]
    pub fn try_erase(&mut self, op: Op) -> Result<(), String> {
        let at = self.op_link(op);
        for result in self.op(op).results() {
            let outside = |user: Op| !self.op(user).ancestors().any(|around| around.id() == op);
            if let Some(user) = self.uses(result).find(|user| outside(user.op)) {
                let (name, user) = (self.op(op).name(), self.op(user.op).name());
                return Err(format!("'{name}' cannot be erased: its result is used by '{user}'"));
            }
        }
        self.unlink_op(at);
        self.drop_ops(vec![at]);
        Ok(())
    }

    /// Erases an operation and everything inside it.
    ///
    /// # Panics
    /// If a result of it is used outside of it; see [`Body::try_erase`].
    #[track_caller]
    pub fn erase(&mut self, op: Op) {
        if let Err(message) = self.try_erase(op) {
            panic!("{message}");
        }
    }

    /// Frees detached operations with everything inside them. First all uses go, then all records, so that cycles
    /// of uses do not matter.
    fn drop_ops(&mut self, roots: Vec<Link>) {
        let mut ops = roots;
        let (mut regions, mut blocks) = (Vec::new(), Vec::new());
        let mut done = 0;
        while done < ops.len() {
            let op = ops[done];
            done += 1;
            self.detach_operands(op);
            let Some(ext) = self.exts.get(self.ops[op].ext as usize) else { continue };
            for &region in &ext.regions {
                regions.push(region);
                for &block in &self.regions[region].blocks {
                    blocks.push(block);
                    let mut at = self.blocks[block].first;
                    while at != Link::NONE {
                        ops.push(at);
                        at = self.ops[at].next;
                    }
                }
            }
        }
        for op in ops {
            self.free_op(op);
        }
        for block in blocks {
            self.free_block(block);
        }
        for region in regions {
            self.regions.remove(region);
        }
    }

    fn free_op(&mut self, op: Link) {
        let OpData { results, n_results, ext, .. } = self.ops[op];
        for index in 0..u32::from(n_results) {
            self.values.remove(Link(results.0 + index));
        }
        if let Some(slot) = self.exts.get_mut(ext as usize) {
            *slot = Ext::default();
            self.free_exts.push(ext);
        }
        self.ops.remove(op);
    }

    fn free_block(&mut self, block: Link) {
        for arg in std::mem::take(&mut self.blocks[block].args) {
            self.values.remove(arg);
        }
        self.blocks.remove(block);
    }

    /// Makes every use of `from` a use of `to`. The cost is one write per use.
    #[track_caller]
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        self.replace_uses_if(from, to, |_| true);
    }

    /// Makes those uses of `from` that `choose` accepts uses of `to`.
    #[track_caller]
    pub fn replace_uses_if(&mut self, from: Value, to: Value, mut choose: impl FnMut(super::Use) -> bool) {
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

    /// Replaces the uses of an operation's results by other values, and erases the operation.
    ///
    /// # Panics
    /// If the number of values is not the number of results.
    #[track_caller]
    pub fn replace(&mut self, op: Op, with: &[Value]) {
        let results: SmallVec<[Value; 4]> = self.op(op).results().collect();
        assert_eq!(results.len(), with.len(), "one value for each result of '{}'", self.op(op).name());
        for (&result, &value) in results.iter().zip(with) {
            self.replace_all_uses(result, value);
        }
        self.erase(op);
    }

    /// Changes one operand.
    ///
    /// # Panics
    /// If there is no such operand.
    #[track_caller]
    pub fn set_operand(&mut self, op: Op, index: usize, value: Value) {
        let (at, value) = (self.op_link(op), self.value_link(value));
        assert!(index < usize::from(self.ops[at].n_operands), "no operand {index}");
        let slot = Link(self.ops[at].operands + index as u32);
        self.unlink_use(slot);
        self.link_use(slot, value);
    }

    /// Changes all operands; their number may change.
    #[track_caller]
    pub fn set_operands(&mut self, op: Op, values: &[Value]) {
        let at = self.op_link(op);
        let values: SmallVec<[Link; 8]> = values.iter().map(|&value| self.value_link(value)).collect();
        self.detach_operands(at);
        self.attach_operands(at, &values);
    }

    /// Changes the type of a value. Users are not looked at: the verifier does that.
    #[track_caller]
    pub fn set_type(&mut self, value: Value, ty: Type) {
        let at = self.value_link(value);
        self.values[at].ty = ty;
    }

    /// Changes what an operation is, keeping operands, results, attributes and regions.
    ///
    /// # Panics
    /// If only one of the two kinds is isolated from above.
    #[track_caller]
    pub fn set_kind(&mut self, op: Op, kind: OpKind) {
        let at = self.op_link(op);
        let isolated = |kind| self.traits_of(kind).has(Traits::ISOLATED);
        assert_eq!(isolated(self.ops[at].kind), isolated(kind), "isolation cannot change");
        self.ops[at].kind = kind;
    }

    /// Changes where an operation says it comes from.
    #[track_caller]
    pub fn set_loc(&mut self, op: Op, loc: Loc) {
        let at = self.op_link(op);
        self.ops[at].loc = loc;
    }

    /// Replaces the dictionary of inherent attributes.
    #[track_caller]
    pub fn set_props(&mut self, op: Op, props: Attr) {
        let at = self.op_link(op);
        self.ops[at].props = props;
    }

    /// Replaces the dictionary of the other attributes.
    #[track_caller]
    pub fn set_attrs(&mut self, op: Op, attrs: Attr) {
        let at = self.op_link(op);
        self.ops[at].attrs = attrs;
    }

    /// Sets one attribute (or removes it), among the inherent ones when it is declared there.
    #[track_caller]
    pub fn set_attr(&mut self, op: Op, name: Name, value: Option<Attr>) {
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

    /// Changes one successor.
    ///
    /// # Panics
    /// If there is no such successor.
    #[track_caller]
    pub fn set_successor(&mut self, op: Op, index: usize, block: Block) {
        let (at, block) = (self.op_link(op), self.block_link(block));
        let ext = self.exts.get_mut(self.ops[at].ext as usize).expect("an operation with successors");
        ext.successors[index] = block;
    }

    /// A region without a parent, for a parser that reads regions before their operation.
    pub(crate) fn new_detached_region(&mut self) -> Region {
        let region = RegionData { stamp: 0, parent: Link::NONE, blocks: SmallVec::new() };
        let at = self.regions.insert(region);
        self.region_id(at)
    }

    /// One more region of the body's own.
    pub(crate) fn push_root(&mut self) -> Region {
        let region = RegionData { stamp: 0, parent: Link::NONE, blocks: SmallVec::new() };
        let at = self.regions.push(region);
        self.roots.push(at);
        self.region_id(at)
    }

    /// Creates an operation whose regions exist already: detached ones of this body, or `nested`, the storage of
    /// an isolated operation. `state.regions` is not read.
    pub(crate) fn create_with_regions(
        &mut self,
        state: &OpState,
        point: Point,
        regions: &[Region],
        nested: Option<Box<Body>>,
    ) -> Op {
        let op = self.create(state, point);
        let at = self.op_link(op);
        let regions: SmallVec<[Link; 2]> = regions.iter().map(|&region| self.region_link(region)).collect();
        for &region in &regions {
            self.regions[region].parent = at;
        }
        if let Some(nested) = nested {
            let ext = self.ext_of(at);
            ext.nested = Some(nested);
        } else if !regions.is_empty() {
            self.ext_of(at).regions = regions;
        }
        op
    }

    fn ext_of(&mut self, at: Link) -> &mut Ext {
        if self.ops[at].ext == u32::MAX {
            self.ops[at].ext = match self.free_exts.pop() {
                Some(slot) => slot,
                None => {
                    self.exts.push(Ext::default());
                    self.exts.len() as u32 - 1
                }
            };
        }
        &mut self.exts[self.ops[at].ext as usize]
    }

    /// A block in no region, for a parser that meets its name before its text.
    pub(crate) fn new_detached_block(&mut self) -> Block {
        let at = self.blocks.insert(BlockData {
            stamp: 0,
            region: Link::NONE,
            first: Link::NONE,
            last: Link::NONE,
            args: SmallVec::new(),
            arg_locs: SmallVec::new(),
            n_ops: 0,
        });
        self.block_id(at)
    }

    /// Appends a detached block to a region.
    pub(crate) fn attach_block(&mut self, region: Region, block: Block) {
        let (region, block) = (self.region_link(region), self.block_link(block));
        self.blocks[block].region = region;
        self.regions[region].blocks.push(block);
    }

    /// Appends a block with arguments to a region.
    #[track_caller]
    pub fn add_block(&mut self, region: Region, args: &[Type]) -> Block {
        let region = self.region_link(region);
        let at = self.blocks.insert(BlockData {
            stamp: 0,
            region,
            first: Link::NONE,
            last: Link::NONE,
            args: SmallVec::new(),
            arg_locs: SmallVec::new(),
            n_ops: 0,
        });
        self.regions[region].blocks.push(at);
        let block = self.block_id(at);
        for &ty in args {
            self.add_arg(block, ty, Loc::UNKNOWN);
        }
        block
    }

    /// Appends an argument to a block.
    #[track_caller]
    pub fn add_arg(&mut self, block: Block, ty: Type, loc: Loc) -> Value {
        let block = self.block_link(block);
        let def = block.0 | DEF_IS_BLOCK;
        let at = self.values.insert(ValueData { stamp: 0, ty, first_use: Link::NONE, def });
        let data = &mut self.blocks[block];
        data.args.push(at);
        data.arg_locs.push(loc);
        self.value_id(at)
    }

    /// Removes an argument that has no use.
    ///
    /// # Panics
    /// If it has a use, or does not exist.
    #[track_caller]
    pub fn erase_arg(&mut self, block: Block, index: usize) {
        let at = self.block_link(block);
        let arg = self.blocks[at].args[index];
        assert!(self.values[arg].first_use == Link::NONE, "a block argument with uses cannot be erased");
        self.blocks[at].args.remove(index);
        self.blocks[at].arg_locs.remove(index);
        self.values.remove(arg);
    }

    /// Erases a block with its operations.
    ///
    /// # Errors
    /// If a value defined in it is used outside of it, or a branch names it.
    #[track_caller]
    pub fn try_erase_block(&mut self, block: Block) -> Result<(), String> {
        let at = self.block_link(block);
        let view = self.block(block);
        let inside = |op: Op| self.op(op).ancestors().any(|around| around.block() == Some(block));
        let results = view.ops().flat_map(|op| self.op(op).results());
        for value in view.args().chain(results) {
            if let Some(user) = self.uses(value).find(|user| !inside(user.op)) {
                let user = self.op(user.op).name();
                return Err(format!("a block cannot be erased: a value of it is used by '{user}'"));
            }
        }
        if let Some(region) = view.region() {
            let names_it =
                |other: &Block| *other != block && self.block(*other).successors().contains(&block);
            if self.region(region).blocks().any(|other| names_it(&other)) {
                return Err("a block cannot be erased: a branch names it".to_owned());
            }
        }
        let ops: Vec<Link> = view.ops().map(|op| self.op_link(op)).collect();
        self.drop_ops(ops);
        let region = self.blocks[at].region;
        self.regions[region].blocks.retain(|other| *other != at);
        self.free_block(at);
        Ok(())
    }

    /// Cuts a block in two before an operation: it and what follows it move to a new block, which comes next in the
    /// region and has no arguments. The first block is left without a terminator.
    ///
    /// # Panics
    /// If the operation is detached.
    #[track_caller]
    pub fn split_block(&mut self, before: Op) -> Block {
        let block = self.op(before).block().expect("an operation in a block");
        let (at, first) = (self.block_link(block), self.op_link(before));
        let region = self.region_id(self.blocks[at].region);
        let new = self.add_block(region, &[]);
        let new_at = self.block_link(new);
        let blocks = &mut self.regions[self.blocks[at].region].blocks;
        blocks.pop();
        let index = blocks.iter().position(|&other| other == at).expect("a region lists its blocks");
        blocks.insert(index + 1, new_at);
        let mut op = first;
        while op != Link::NONE {
            let next = self.ops[op].next;
            self.unlink_op(op);
            self.link_op(op, Point::End(new));
            op = next;
        }
        new
    }

    /// Moves all operations of a block to another place, in order, and replaces its arguments by values. The empty
    /// block is erased.
    ///
    /// # Panics
    /// If the number of values is not the number of arguments, or a branch names the block.
    #[track_caller]
    pub fn inline_block(&mut self, block: Block, point: Point, args: &[Value]) {
        let old: SmallVec<[Value; 4]> = self.block(block).args().collect();
        assert_eq!(old.len(), args.len(), "one value for each block argument");
        for (&arg, &value) in old.iter().zip(args) {
            self.replace_all_uses(arg, value);
        }
        let ops: Vec<Op> = self.block(block).ops().collect();
        let mut point = point;
        for op in ops {
            let at = self.op_link(op);
            self.unlink_op(at);
            self.link_op(at, point);
            point = Point::After(op);
        }
        if let Err(message) = self.try_erase_block(block) {
            panic!("{message}");
        }
    }

    /// Moves all blocks of a region to the end of another one.
    #[track_caller]
    pub fn move_blocks(&mut self, from: Region, to: Region) {
        let (from, to) = (self.region_link(from), self.region_link(to));
        if from == to {
            return;
        }
        let blocks = std::mem::take(&mut self.regions[from].blocks);
        for &block in &blocks {
            self.blocks[block].region = to;
        }
        self.regions[to].blocks.extend(blocks);
    }
}
