//! `partition-graph`: regions of operations that a compiler supports become functions.
//!
//! Each region is a set of supported operations of one block that are connected by their values, and that no path through another
//! operation leaves and enters again, so that its function can be called in one place. The function has the attributes
//! `Compiler` and `global_symbol`, and returns the values that are used outside of the region.
//!
//! If operations of a block mark the boundaries of regions, exactly these regions become functions, each for the compiler of
//! its marks.
//!
//! Regions are found in linear time: the level of an operation is the largest number of times that a path to it leaves a
//! supported operation for an unsupported one. Neighbors of one level are in one region, and a region whose users are all in
//! another one is part of that. Operations with effects keep their order, which counts as a path. If there is no point after
//! the definitions that a region needs and before the uses of its results, the operations of the block are sorted.

mod marked;
mod merge;

pub(super) use marked::is_marked;
pub use merge::MergeMarkedRegions;

use super::composite::{COMPILER, COMPOSITE, PRIMITIVE, each_group};
use super::has_required_parent;
use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Block, Body, InsertionPoint, Name, Op, OpRef, SymbolTable, Traits};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{Calls, EffectSet, Effects, EffectsTable, FunctionMaterializer, RegionMarks};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pass_options! {
    /// The options of `partition-graph`.
    pub struct PartitionGraphOptions {
        /// The name of the compiler
        "compiler" compiler: String = "default".to_owned(),
        /// The supported operations, besides calls of composite functions
        "operations" operations: Vec<String> = Vec::new(),
    }
}

/// Makes functions of regions of supported operations.
#[derive(Default)]
pub struct PartitionGraph {
    /// The options of this pass.
    pub options: PartitionGraphOptions,
}

impl Pass for PartitionGraph {
    fn name(&self) -> &'static str {
        "partition-graph"
    }

    fn description(&self) -> &'static str {
        "make functions of regions of operations that a compiler supports"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(Calls, Effects, FunctionMaterializer, RegionMarks);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-partitions", "Number of functions created")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let PartitionGraphOptions { compiler, operations } = &self.options;
        let effects = EffectsTable::new(&ctx);
        // The bodies of composite functions are not partitioned.
        let composites = composites(run.module_mut().body_mut(), effects);
        let callee = |op: OpRef<'_>| {
            let calls = ctx.service::<dyn Calls>(op.kind())?;
            composites.get(&calls.callee(op)?.as_flat_symbol(&ctx)?).copied()
        };
        let supports = |op: OpRef<'_>| {
            let fixed = [Traits::TERMINATOR, Traits::SYMBOL, Traits::CONSTANT_LIKE, Traits::ISOLATED];
            let stays = fixed.into_iter().any(|fixed| op.has_trait(fixed)) || has_required_parent(op);
            !stays && (callee(op).is_some() || operations.iter().any(|name| name == op.name()))
        };
        let effects_of = |op: OpRef<'_>| callee(op).unwrap_or_else(|| effects.all(op));
        let find = |body: &mut Body, block: Block| {
            if is_marked(body, block) {
                return marked::marked_regions(body, block, effects_of);
            }
            let mut graph = Graph::of(body, block, supports, effects_of);
            graph.connect();
            let regions = graph.regions(body, block);
            regions.into_iter().map(|region| (region, compiler.clone())).collect()
        };
        let made = each_group(
            &ctx,
            run,
            find,
            |name, number| format!("{name}_{number}"),
            |ctx, body, op, name, symbol| {
                body.set_attr(op, ctx.name(COMPILER), Some(Attr::string(ctx, name)));
                body.set_attr(op, ctx.name("global_symbol"), Some(Attr::string(ctx, symbol)));
                body.set_attr(op, ctx.name(PRIMITIVE), Some(Attr::i64(ctx, 1)));
            },
        );
        run.count("num-partitions", made);
        Ok(())
    }
}

/// The composite functions of a module, with the effects of a call of each.
fn composites(body: &Body, effects: EffectsTable<'_>) -> FxHashMap<Name, EffectSet> {
    let symbols = SymbolTable::of(body);
    let composite = body.context().name(COMPOSITE);
    let mut found = FxHashMap::default();
    for name in symbols.names() {
        let function = symbols.get(name).map(|op| body.op(op)).filter(|op| op.attr(composite).is_some());
        let Some(inside) = function.and_then(|function| function.nested()) else { continue };
        let blocks = inside.regions().flat_map(|region| inside.region(region).blocks());
        let ops = blocks.flat_map(|block| inside.block(block).ops()).map(|op| inside.op(op));
        let ops = ops.filter(|op| !op.has_trait(Traits::TERMINATOR));
        found.insert(name, ops.fold(EffectSet::NONE, |all, op| all.and(effects.all(op))));
    }
    found
}

/// The operations of a block by position, with what each has to follow.
struct Graph {
    ops: Vec<Op>,
    supported: Vec<bool>,
    /// The operations that define an operand or a captured value, and the previous one with effects if it has effects.
    before: Vec<Vec<usize>>,
    /// The operations that define an operand or a captured value.
    producers: Vec<Vec<usize>>,
    /// A disjoint-set forest: operations of one region have one root.
    parents: Vec<usize>,
}

impl Graph {
    fn of<'b>(
        body: &'b Body,
        block: Block,
        supports: impl Fn(OpRef<'b>) -> bool,
        effects: impl Fn(OpRef<'b>) -> EffectSet,
    ) -> Graph {
        let ops: Vec<Op> = body.block(block).ops().collect();
        let positions: FxHashMap<Op, usize> = ops.iter().enumerate().map(|(at, &op)| (op, at)).collect();
        let mut last_effect = None;
        let (mut before, mut producers) = (Vec::with_capacity(ops.len()), Vec::with_capacity(ops.len()));
        for (at, &op) in ops.iter().enumerate() {
            let mut needs: Vec<usize> = Vec::new();
            let mut pending = vec![op];
            while let Some(inner) = pending.pop() {
                let view = body.op(inner);
                let defined = view.operands().filter_map(|value| body.defining_op(value));
                needs.extend(defined.filter_map(|producer| positions.get(&producer).copied()));
                let regions = view.own_regions();
                let blocks = regions.flat_map(|region| body.region(region).blocks());
                pending.extend(blocks.flat_map(|block| body.block(block).ops()));
            }
            producers.push(needs.clone());
            if effects(body.op(op)) != EffectSet::NONE {
                needs.extend(last_effect.replace(at));
            }
            needs.sort_unstable();
            needs.dedup();
            before.push(needs);
        }
        let supported = ops.iter().map(|&op| supports(body.op(op))).collect();
        let parents = (0..ops.len()).collect();
        Graph { ops, supported, before, producers, parents }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a] = b;
    }

    /// The regions, those that end last first. The operations of the block are sorted if necessary. There are none if regions
    /// depend on each other.
    fn regions(mut self, body: &mut Body, block: Block) -> Vec<Vec<Op>> {
        if !self.supported.contains(&true) {
            return Vec::new();
        }
        let count = self.ops.len();
        let roots: Vec<usize> = (0..count).map(|at| self.root(at)).collect();
        let mut last = vec![0; count];
        (0..count).for_each(|at| last[roots[at]] = at);
        // A region is replaced by a call at the place of its last operation.
        let is_early = |at: usize| {
            let needs = self.before[at].iter().map(|&need| roots[need]);
            needs.into_iter().any(|need| need != roots[at] && last[need] > last[roots[at]])
        };
        let mut order: Vec<usize> = (0..count).collect();
        if (0..count).any(is_early) {
            order = self.sorted(&roots, &last);
            if order.len() < count {
                return Vec::new();
            }
            for &at in &order {
                body.move_op(self.ops[at], InsertionPoint::End(block));
            }
        }
        let mut regions: Vec<Vec<Op>> = Vec::new();
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for &at in order.iter().rev().filter(|&&at| self.supported[at]) {
            let number = *numbers.entry(roots[at]).or_insert(regions.len());
            if number == regions.len() {
                regions.push(Vec::new());
            }
            regions[number].push(self.ops[at]);
        }
        regions.iter_mut().for_each(|region| region.reverse());
        regions
    }

    /// Unites the operations of each region.
    fn connect(&mut self) {
        let count = self.ops.len();
        let mut levels = vec![0_usize; count];
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
        for at in 0..count {
            let rise =
                |&need: &usize| levels[need] + usize::from(self.supported[need] && !self.supported[at]);
            levels[at] = self.before[at].iter().map(rise).max().unwrap_or(0);
            for need in self.before[at].clone() {
                after[need].push(at);
                if self.supported[need] && self.supported[at] && levels[need] == levels[at] {
                    self.unite(need, at);
                }
            }
        }
        // A region whose users are all in one other region, of a higher level, is part of it.
        let mut members: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for at in 0..count {
            if self.supported[at] {
                members.entry(self.root(at)).or_default().push(at);
            }
        }
        let mut found: Vec<(usize, Vec<usize>)> = members.into_iter().collect();
        found.sort_unstable_by_key(|&(root, _)| Reverse((levels[root], root)));
        for (root, members) in found {
            let mut users: FxHashSet<usize> = FxHashSet::default();
            for &user in members.iter().flat_map(|&member| &after[member]) {
                users.insert(self.root(user));
            }
            users.remove(&root);
            let mut users = users.into_iter();
            if let (Some(user), None) = (users.next(), users.next())
                && self.supported[user]
            {
                self.unite(root, user);
            }
        }
    }

    /// The positions of the operations in an order in which each region is in one piece, near to the present order. Regions that
    /// depend on each other are missing.
    fn sorted(&self, roots: &[usize], last: &[usize]) -> Vec<usize> {
        let count = self.ops.len();
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut waits = vec![0_usize; count];
        for at in 0..count {
            members[roots[at]].push(at);
            for need in self.before[at].iter().map(|&need| roots[need]).filter(|&need| need != roots[at]) {
                after[need].push(roots[at]);
                waits[roots[at]] += 1;
            }
        }
        let is_ready = |&root: &usize| roots[root] == root && waits[root] == 0;
        let mut ready: BinaryHeap<Reverse<(usize, usize)>> =
            (0..count).filter(is_ready).map(|root| Reverse((last[root], root))).collect();
        let mut order = Vec::with_capacity(count);
        while let Some(Reverse((_, root))) = ready.pop() {
            order.extend_from_slice(&members[root]);
            for &next in &after[root] {
                waits[next] -= 1;
                if waits[next] == 0 {
                    ready.push(Reverse((last[next], next)));
                }
            }
        }
        order
    }
}
