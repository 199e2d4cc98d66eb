//! The temporaries of a function and the regions that they live in.

use crate::analysis::call_sites::add_symbols;
use crate::hoist_buffers::Pair;
use minoan_ir::{Block, Body, Name, Op, OpRef, Region};
use minoan_services::{Calls, RegionExecution, RegionFlow};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::RangeInclusive;

/// A block, with the blocks nested in it that execute, one after another, whenever it does: the bodies of loops.
pub(super) struct Scope {
    pub block: Block,
    /// The enclosing scope, if the block executes at most once for each time that the operation around it does.
    pub around: Option<usize>,
    /// The positions of the operations in the block that may call the function itself.
    pub recursive: Vec<RangeInclusive<usize>>,
}

/// The operations of a function, each with its position in program order. An execution of a block runs through the
/// positions in it in order, and that of an operation includes the positions in its regions.
pub(super) struct Positions {
    pub ops: Vec<Op>,
    /// The operations around each.
    parents: Vec<Option<usize>>,
    scope_of: Vec<usize>,
    /// Inner ones follow the scopes around them.
    pub scopes: Vec<Scope>,
}

impl Positions {
    /// The operations of a body; `is_recursive` holds for the functions that may call this one.
    pub fn of(body: &Body, is_recursive: impl Fn(Name) -> bool) -> Self {
        let ops = body.walk();
        let mut positions =
            Self { parents: Vec::with_capacity(ops.len()), scope_of: Vec::new(), scopes: Vec::new(), ops };
        let mut scope_of: FxHashMap<Block, usize> = FxHashMap::default();
        for region in body.regions() {
            for block in body.region(region).blocks() {
                scope_of.insert(block, positions.add_scope(block, None));
            }
        }
        let mut open: Vec<usize> = Vec::new();
        for at in 0..positions.ops.len() {
            let op = body.op(positions.ops[at]);
            while open.last().is_some_and(|&around| Some(positions.ops[around]) != op.parent()) {
                open.pop();
            }
            let scope = op.block().and_then(|block| scope_of.get(&block).copied()).unwrap_or_default();
            positions.parents.push(open.last().copied());
            positions.scope_of.push(scope);
            if op.own_regions().len() > 0 {
                positions.enter(op, scope, &mut scope_of);
                open.push(at);
            }
        }
        positions.find_recursion(body, is_recursive);
        positions
    }

    fn add_scope(&mut self, block: Block, around: Option<usize>) -> usize {
        self.scopes.push(Scope { block, around, recursive: Vec::new() });
        self.scopes.len() - 1
    }

    /// Finds the scopes of the blocks of an operation that is in a scope.
    fn enter(&mut self, op: OpRef<'_>, scope: usize, scope_of: &mut FxHashMap<Block, usize>) {
        let body = op.body();
        let flow = op.context().service::<dyn RegionFlow>(op.kind());
        let execution = flow.map(|flow| flow.execution(op));
        let regions: Vec<Region> = op.own_regions().collect();
        for &region in &regions {
            let blocks: Vec<Block> = body.region(region).blocks().collect();
            for &block in &blocks {
                let inside = match (execution, regions.len()) {
                    _ if blocks.len() > 1 => self.add_scope(block, None),
                    (Some(RegionExecution::Repeated), _) | (Some(RegionExecution::ExactlyOne), 1) => scope,
                    (Some(RegionExecution::ExactlyOne), _) => self.add_scope(block, Some(scope)),
                    // Several executions may be in progress.
                    _ => self.add_scope(block, None),
                };
                scope_of.insert(block, inside);
            }
        }
    }

    /// Finds the operations that may call the function itself, and those around them.
    fn find_recursion(&mut self, body: &Body, is_recursive: impl Fn(Name) -> bool) {
        let mut last: Vec<usize> = (0..self.ops.len()).collect();
        for at in (0..self.ops.len()).rev() {
            if let Some(around) = self.parents[at] {
                last[around] = last[around].max(last[at]);
            }
        }
        let calls = body.context().service_table::<dyn Calls>();
        let (mut names, mut marked) = (Vec::new(), FxHashSet::default());
        for at in 0..self.ops.len() {
            let op = body.op(self.ops[at]);
            names.clear();
            add_symbols(op, &mut names);
            let service = calls.and_then(|calls| calls.get(op.kind()));
            let is_indirect = service.is_some_and(|calls| calls.callee(op).is_none());
            if !is_indirect && !names.iter().any(|&name| is_recursive(name)) {
                continue;
            }
            let mut next = Some(at).filter(|&at| marked.insert(at));
            while let Some(at) = next {
                let scope = &mut self.scopes[self.scope_of[at]];
                if body.op(self.ops[at]).block() == Some(scope.block) {
                    scope.recursive.push(at..=last[at]);
                }
                next = self.parents[at].filter(|&around| marked.insert(around));
            }
        }
        self.scopes.iter_mut().for_each(|scope| scope.recursive.sort_by_key(|range| *range.start()));
    }

    /// The positions of allocations and deallocations, and the scopes of the temporaries.
    pub fn of_pairs<'p>(
        &self,
        pairs: impl Iterator<Item = &'p Pair> + Clone,
    ) -> Vec<(usize, RangeInclusive<usize>)> {
        let allocs: FxHashMap<Op, usize> = pairs.clone().map(|pair| pair.alloc).zip(0..).collect();
        let deallocs: FxHashMap<Op, usize> = pairs.map(|pair| pair.dealloc).zip(0..).collect();
        let mut found = vec![(0, 0..=0); allocs.len()];
        for (at, op) in self.ops.iter().enumerate() {
            if let Some(&pair) = allocs.get(op) {
                found[pair] = (self.scope_of[at], at..=at);
            } else if let Some(&pair) = deallocs.get(op) {
                let start = *found[pair].1.start();
                found[pair].1 = start..=at;
            }
        }
        found
    }

    /// The operation in the block of a scope that is, or is around, the one at a position.
    pub fn in_block(&self, body: &Body, scope: usize, mut at: usize) -> Op {
        while body.op(self.ops[at]).block() != Some(self.scopes[scope].block) {
            let Some(around) = self.parents[at] else { break };
            at = around;
        }
        self.ops[at]
    }
}
