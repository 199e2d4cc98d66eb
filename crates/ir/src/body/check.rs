//! Consistency check of the storage, for tests and builds with debug assertions.

use super::arena::Link;
use super::{Arg, Body, PackedDef};

/// The errors found so far, and the records in use.
struct Check<'a> {
    body: &'a Body,
    wrong: Vec<String>,
    ops: Vec<bool>,
    values: Vec<bool>,
    blocks: Vec<bool>,
    regions: Vec<bool>,
    /// For each operand slot: the operation that owns it.
    owners: Vec<Option<Link>>,
}

impl Body {
    /// The inconsistencies of this body's lists; empty unless this crate has a bug. Does not enter nested bodies.
    ///
    /// Checks that: the use list of every value has exactly its uses, each with its user; the operations of every
    /// block are doubly linked and counted; blocks, regions, operations and values refer to each other consistently;
    /// every block counts the successors that refer to it; no free record is in use, and no record in use is
    /// unreachable.
    pub fn check_invariants(&self) -> Vec<String> {
        let mut check = Check {
            body: self,
            wrong: Vec::new(),
            ops: self.ops.live(),
            values: self.values.live(),
            blocks: self.blocks.live(),
            regions: self.regions.live(),
            owners: vec![None; self.operands.len()],
        };
        check.operations();
        check.uses();
        check.block_lists();
        check.names();
        check.region_lists();
        check.free_operands();
        check.wrong
    }
}

/// The positions of the records in use.
fn live(flags: &[bool]) -> impl Iterator<Item = Link> + '_ {
    flags.iter().enumerate().filter(|(_, live)| **live).map(|(at, _)| Link(at as u32))
}

impl Check<'_> {
    fn expect(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(message());
        }
    }

    fn is_live(flags: &[bool], at: Link) -> bool {
        flags.get(at.index()).copied().unwrap_or(false)
    }

    /// Checks the number of successors that refer to each block.
    fn names(&mut self) {
        let body = self.body;
        let mut named = vec![0; body.blocks.slots.len()];
        for op in live(&self.ops.clone()) {
            let Some(ext) = body.exts.get(body.ops[op].ext as usize) else { continue };
            for block in ext.successors.iter().filter_map(|id| body.blocks.check(id.index, id.stamp)) {
                named[block.index()] += 1;
            }
        }
        for block in live(&self.blocks.clone()) {
            let (says, has) = (body.blocks[block].n_named, named[block.index()]);
            self.expect(says == has, || format!("block {} has {has} uses, but records {says}", block.0));
        }
    }

    /// Checks the results, operand slots and extra records of each operation; every value is a result or an argument.
    fn operations(&mut self) {
        let body = self.body;
        let mut defined = vec![false; self.values.len()];
        let mut exts = vec![0; body.exts.len()];
        for op in live(&self.ops.clone()) {
            let data = &body.ops[op];
            for index in 0..u32::from(data.n_results) {
                let value = Link(data.results.0.wrapping_add(index));
                let right = Self::is_live(&self.values, value) && body.values[value].def == PackedDef::op(op);
                self.expect(right, || format!("result {index} of operation {} is not its own", op.0));
                if let Some(defined) = defined.get_mut(value.index()) {
                    *defined = true;
                }
            }
            for slot in data.operands..data.operands + u32::from(data.n_operands) {
                let owner = self.owners[slot as usize].replace(op);
                let right = owner.is_none() && body.operands[slot as usize].owner == op;
                self.expect(right, || format!("operand slot {slot} of operation {} is not its own", op.0));
            }
            if let Some(count) = exts.get_mut(data.ext as usize) {
                *count += 1;
            }
        }
        for ext in body.free_exts.iter() {
            exts[ext as usize] += 1;
        }
        self.expect(exts.iter().all(|&count| count == 1), || {
            "expected one owner of each extra record".to_owned()
        });
        for block in live(&self.blocks.clone()) {
            for (index, &Arg { value: arg, .. }) in body.blocks[block].args.iter().enumerate() {
                let def = PackedDef::block(block);
                let right = Self::is_live(&self.values, arg) && body.values[arg].def == def;
                self.expect(right, || format!("argument {index} of block {} is not its own", block.0));
                if let Some(defined) = defined.get_mut(arg.index()) {
                    *defined = true;
                }
            }
        }
        self.expect(defined == self.values, || "a value does not match its definition".to_owned());
    }

    fn uses(&mut self) {
        let body = self.body;
        let mut seen = 0;
        for value in live(&self.values.clone()) {
            let (mut prev, mut at) = (Link::NONE, body.values[value].first_use);
            while at != Link::NONE {
                let Some(&operand) = body.operands.get(at.index()) else { break };
                let owned = self.owners[at.index()].is_some();
                let right = owned && operand.value == value && operand.prev == prev;
                self.expect(right, || format!("use {} in the list of value {} is wrong", at.0, value.0));
                seen += 1;
                if seen > body.operands.len() {
                    self.wrong.push(format!("the use list of value {} does not end", value.0));
                    return;
                }
                (prev, at) = (at, operand.next);
            }
        }
        let owned = self.owners.iter().flatten().count();
        self.expect(seen == owned, || {
            format!("{owned} operands, but {seen} uses in the lists of their values")
        });
    }

    fn block_lists(&mut self) {
        let body = self.body;
        let mut linked = vec![false; self.ops.len()];
        for block in live(&self.blocks.clone()) {
            let data = &body.blocks[block];
            let (mut prev, mut at, mut count) = (Link::NONE, data.first, 0);
            while at != Link::NONE && count <= data.n_ops {
                let right = Self::is_live(&self.ops, at)
                    && !std::mem::replace(&mut linked[at.index()], true)
                    && (body.ops[at].block, body.ops[at].prev) == (block, prev);
                self.expect(right, || format!("operation {} is linked wrongly in block {}", at.0, block.0));
                count += 1;
                (prev, at) = (at, body.ops[at].next);
            }
            let right = (count, prev) == (data.n_ops, data.last);
            self.expect(right, || {
                format!("block {} records {} operations, but has {count}", block.0, data.n_ops)
            });
        }
        for op in live(&self.ops.clone()) {
            let data = &body.ops[op];
            let detached = (data.block, data.prev, data.next) == (Link::NONE, Link::NONE, Link::NONE);
            self.expect(linked[op.index()] != detached, || {
                format!("operation {} is in a block that has it not", op.0)
            });
        }
    }

    fn region_lists(&mut self) {
        let body = self.body;
        let mut listed = vec![0; self.blocks.len()];
        let mut owned = vec![0; self.regions.len()];
        for &root in &body.roots {
            owned[root.index()] += 1;
            self.expect(body.regions[root].parent == Link::NONE, || format!("root {} has a parent", root.0));
        }
        for op in live(&self.ops.clone()) {
            let Some(ext) = body.exts.get(body.ops[op].ext as usize) else { continue };
            for &region in &ext.regions {
                let right = Self::is_live(&self.regions, region) && body.regions[region].parent == op;
                self.expect(right, || format!("a region of operation {} is not its own", op.0));
                owned[region.index()] += 1;
            }
        }
        for region in live(&self.regions.clone()) {
            let owners = owned[region.index()];
            self.expect(owners == 1, || format!("region {}: expected one owner, found {owners}", region.0));
            let data = &body.regions[region];
            let (mut prev, mut at, mut count) = (Link::NONE, data.first, 0);
            while at != Link::NONE && count <= data.n_blocks {
                let right = Self::is_live(&self.blocks, at)
                    && (body.blocks[at].region, body.blocks[at].prev) == (region, prev);
                self.expect(right, || format!("block {} of region {} is not its own", at.0, region.0));
                if !right {
                    break;
                }
                listed[at.index()] += 1;
                (prev, at, count) = (at, body.blocks[at].next, count + 1);
            }
            let right = (prev, count) == (data.last, data.n_blocks);
            self.expect(right, || format!("the blocks of region {} are not {}", region.0, data.n_blocks));
        }
        for block in live(&self.blocks.clone()) {
            self.expect(listed[block.index()] == 1, || format!("block {} is not in one region", block.0));
        }
    }

    /// Checks that free operand ranges do not overlap with anything.
    fn free_operands(&mut self) {
        for (start, length) in self.body.free_operands.iter() {
            for slot in start..start + length as u32 {
                let owner = self.owners[slot as usize].replace(Link::NONE);
                self.expect(owner.is_none(), || format!("operand slot {slot} is free and in use"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, InsertionPoint, Loc, Module, OpState, Type};

    /// Verifier rule 32: inconsistent lists are reported, and no other errors of that body.
    #[test]
    fn rule_32_lists_are_exact() {
        let damages: [fn(&mut Body); 9] = [
            |body| body.values.slots[0].first_use = Link::NONE,
            |body| body.operands[1].prev = Link(0),
            |body| body.blocks.slots[0].n_ops = 7,
            |body| body.blocks.slots[0].n_named = 7,
            |body| body.ops.slots[2].prev = Link::NONE,
            |body| body.blocks.slots[0].region = Link(9),
            |body| body.blocks.slots[0].prev = Link(0),
            |body| body.regions.slots.iter_mut().for_each(|region| region.n_blocks += 1),
            |body| body.free_operands.push(0, 1),
        ];
        for (number, damage) in damages.into_iter().enumerate() {
            let ctx = Context::bare();
            let mut module =
                Module::with_top(&ctx, OpState::named(&ctx, "a.top").regions(1).loc(Loc::UNKNOWN));
            let (op, body) = (module.op(), module.holder_mut());
            let region = body.op(op).region(0);
            let block = body.add_block(region, &[]);
            let def =
                body.create(&OpState::named(&ctx, "a.def").results(&[Type::I1]), InsertionPoint::End(block));
            let value = body.op(def).result(0);
            body.create(&OpState::named(&ctx, "a.use").operands(&[value, value]), InsertionPoint::End(block));
            assert_eq!(body.check_invariants(), [""; 0]);
            damage(body);
            assert!(!body.check_invariants().is_empty(), "damage {number} goes unnoticed");
            assert_eq!(crate::verify::verify(&module).is_err(), cfg!(debug_assertions));
        }
    }
}
