//! Merges identical blocks.

use minoan_ir::{Attr, Block, Body, Op, OpKind, Region, Type, Value};
use minoan_services::Branches;
use rustc_hash::FxHashMap;

/// The common properties of blocks that can be merged: argument types, and everything except the operands of each
/// operation.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    args: Vec<Type>,
    ops: Vec<(OpKind, Attr, Attr, usize, Vec<Type>)>,
    successors: Vec<Block>,
}

/// An operand relative to its block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    /// A value defined in the block, by number.
    Own(usize),
    /// A value defined outside.
    Outer(Value),
}

/// Merges blocks of a region that differ only in operands: differing operands become block arguments. Blocks whose
/// values are used elsewhere, or that have operations with regions, are not merged. Returns the number of erased
/// blocks. The time is linear, times the number of differing operands.
pub fn merge_identical_blocks(body: &mut Body) -> u64 {
    let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
    let regions: Vec<Region> = body.regions().chain(inner).collect();
    let mut merged = 0;
    for region in regions {
        if body.contains_region(region) && body.region(region).blocks().len() > 2 {
            merged += merge_in(body, region);
        }
    }
    merged
}

fn merge_in(body: &mut Body, region: Region) -> u64 {
    let mut branches: FxHashMap<Block, Vec<(Op, usize)>> = FxHashMap::default();
    for end in body.region(region).blocks().filter_map(|block| body.block(block).last()) {
        for (at, to) in body.op(end).successors().enumerate() {
            branches.entry(to).or_default().push((end, at));
        }
    }
    // In text order, so that the result does not depend on hashing.
    let mut numbers: FxHashMap<Shape, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Block>> = Vec::new();
    for block in body.region(region).blocks().skip(1) {
        let branches = branches.get(&block).map_or(&[][..], Vec::as_slice);
        if !branches.is_empty() && branches.iter().all(|&(end, at)| can_pass(body, end, at)) {
            let Some(shape) = shape(body, block) else { continue };
            let number = *numbers.entry(shape).or_insert(groups.len());
            groups.resize(groups.len().max(number + 1), Vec::new());
            groups[number].push(block);
        }
    }
    let mut merged = 0;
    for group in groups.into_iter().filter(|group| group.len() > 1) {
        merged += merge_group(body, &group, &branches);
    }
    merged
}

/// Whether a branch can forward additional operands.
fn can_pass(body: &Body, end: Op, successor: usize) -> bool {
    let view = body.op(end);
    let service = body.context().service::<dyn Branches>(view.kind());
    service.is_some_and(|service| service.forwarded_operands(view, successor).produced == 0)
}

fn shape(body: &Body, block: Block) -> Option<Shape> {
    let view = body.block(block);
    let mut ops = Vec::with_capacity(view.len());
    for op in view.ops().map(|op| body.op(op)) {
        let used_here = |value: Value| body.uses(value).all(|user| body.op(user.op).block() == Some(block));
        if op.n_regions() > 0 || op.nested().is_some() || !op.results().all(used_here) {
            return None;
        }
        ops.push((op.kind(), op.props(), op.attrs(), op.n_operands(), op.result_types().collect()));
    }
    if !view.args().all(|arg| body.uses(arg).all(|user| body.op(user.op).block() == Some(block))) {
        return None;
    }
    let args = view.args().map(|arg| body.ty(arg)).collect();
    Some(Shape { args, ops, successors: view.successors() })
}

/// The operands of all operations of a block.
fn operands(body: &Body, block: Block) -> Vec<Operand> {
    let mut own: FxHashMap<Value, usize> = FxHashMap::default();
    let mut found = Vec::new();
    for arg in body.block(block).args() {
        own.insert(arg, own.len());
    }
    for op in body.block(block).ops().map(|op| body.op(op)) {
        let operand = |value| own.get(&value).map_or(Operand::Outer(value), |&number| Operand::Own(number));
        found.extend(op.operands().map(operand));
        for result in op.results() {
            own.insert(result, own.len());
        }
    }
    found
}

/// Merges blocks of equal shape into the first one that each matches.
fn merge_group(body: &mut Body, group: &[Block], branches: &FxHashMap<Block, Vec<(Op, usize)>>) -> u64 {
    let mut left: Vec<(Block, Vec<Operand>)> =
        group.iter().map(|&block| (block, operands(body, block))).collect();
    let mut merged = 0;
    while left.len() > 1 {
        let (leader, own) = left.remove(0);
        let fits = |other: &[Operand]| {
            own.iter().zip(other).all(|(&a, &b)| match (a, b) {
                (Operand::Own(a), Operand::Own(b)) => a == b,
                (Operand::Outer(a), Operand::Outer(b)) => body.ty(a) == body.ty(b),
                _ => false,
            })
        };
        let (members, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|(_, other)| fits(other));
        left = others;
        if !members.is_empty() {
            merged += members.len() as u64;
            merge(body, (leader, own), members, branches);
        }
    }
    merged
}

fn merge(
    body: &mut Body,
    (leader, own): (Block, Vec<Operand>),
    members: Vec<(Block, Vec<Operand>)>,
    branches: &FxHashMap<Block, Vec<(Op, usize)>>,
) {
    let differs = |&at: &usize| members.iter().any(|(_, other)| other[at] != own[at]);
    let open: Vec<usize> = (0..own.len()).filter(differs).collect();
    // Operands that are equal in each block share an argument.
    let value = |operands: &[Operand], at: usize| match operands[at] {
        Operand::Outer(value) => value,
        Operand::Own(_) => unreachable!("what a block defines itself does not differ"),
    };
    let mut columns: Vec<Vec<Value>> = Vec::new();
    let mut args: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
    let mut arg_of: FxHashMap<usize, usize> = FxHashMap::default();
    for &at in &open {
        let blocks = std::iter::once(&own).chain(members.iter().map(|(_, other)| other));
        let column: Vec<Value> = blocks.map(|operands| value(operands, at)).collect();
        let number = *args.entry(column.clone()).or_insert(columns.len());
        if number == columns.len() {
            columns.push(column);
        }
        arg_of.insert(at, number);
    }
    let new: Vec<Value> = columns
        .iter()
        .map(|column| {
            let (ty, loc) = (body.ty(column[0]), body.value_loc(column[0]));
            body.add_arg(leader, ty, loc)
        })
        .collect();
    let mut at = 0;
    for op in body.block(leader).ops().collect::<Vec<Op>>() {
        for index in 0..body.op(op).n_operands() {
            if let Some(&number) = arg_of.get(&(at + index)) {
                body.set_operand(op, index, new[number]);
            }
        }
        at += body.op(op).n_operands();
    }
    let blocks = std::iter::once(leader).chain(members.iter().map(|&(block, _)| block));
    for (number, block) in blocks.enumerate() {
        let more: Vec<Value> = columns.iter().map(|column| column[number]).collect();
        for &(end, successor) in branches.get(&block).into_iter().flatten() {
            // The branch may have been erased with its block.
            if !body.contains(end) {
                continue;
            }
            let ctx = body.context().clone();
            let service = ctx.service::<dyn Branches>(body.op(end).kind()).expect("it was queried before");
            let mut passed = service.operands(body.op(end), successor);
            passed.extend(&more);
            body.set_successor(end, successor, leader);
            service.set_forwarded_operands(body, end, successor, &passed);
        }
    }
    for (block, _) in members {
        for op in body.block(block).ops().collect::<Vec<Op>>() {
            body.set_operands(op, &[]);
            body.set_successors(op, &[]);
        }
        body.try_erase_block(block).expect("nothing goes there any more");
    }
}
