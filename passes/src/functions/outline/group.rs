//! `group-operators`: operators that one kernel computes become functions with the attribute `Primitive`, as TVM's FuseOps does.
//!
//! An operator is grouped with its immediate post-dominator, the first operator through which all paths from its result lead,
//! if the patterns of all operators on these paths allow it:
//!
//! 1. elementwise and broadcast operators with elementwise, injective or reducing ones that follow, and complex operators, such
//!    as convolutions, with elementwise ones;
//! 2. injective operators and tuples with injective ones that follow;
//! 3. injective operators with tuples that are part of injective groups.
//!
//! Every group has one result, and an operator that is not grouped is a group of its own. Paths are followed for a bounded
//! number of operators, which also bounds the size of a group, so the time is linear.

use super::composite::{PRIMITIVE, each_group};
use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Block, Body, Op, Value};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{FunctionMaterializer, OperatorPattern, OperatorPatterns};
use rustc_hash::{FxHashMap, FxHashSet};

pass_options! {
    /// The options of `group-operators`.
    pub struct GroupOperatorsOptions {
        /// Limit on the operators of a group
        "max-operators" max_operators: usize = 256,
    }
}

/// Makes functions of groups of operators.
#[derive(Default)]
pub struct GroupOperators {
    /// The options of this pass.
    pub options: GroupOperatorsOptions,
}

impl Pass for GroupOperators {
    fn name(&self) -> &'static str {
        "group-operators"
    }

    fn description(&self) -> &'static str {
        "make functions of groups of operators that one kernel computes"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(FunctionMaterializer, OperatorPatterns);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-groups", "Number of functions created")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let find =
            |body: &mut Body, block: Block| Graph::of(body, block, self.options.max_operators).groups(body);
        let made = each_group(
            &ctx,
            run,
            find,
            |name, number| format!("{name}_{number}"),
            |ctx, body, op, _, _| body.set_attr(op, ctx.name(PRIMITIVE), Some(Attr::i64(ctx, 1))),
        );
        run.count("num-groups", made);
        Ok(())
    }
}

/// An operator of a block.
struct Node {
    op: Op,
    /// `None` if it has no kernel.
    pattern: Option<OperatorPattern>,
    /// The users of its results, with the patterns of the uses.
    users: Vec<(usize, OperatorPattern)>,
    /// Whether a result has a use other than by an operation of the block.
    escapes: bool,
    /// Whether it needs no kernel of its own.
    is_free: bool,
    /// The immediate post-dominator, and the pattern of the paths to it.
    parent: Option<(usize, OperatorPattern)>,
    /// The number of post-dominators.
    depth: usize,
}

/// A set of operators, at the root of a disjoint-set forest.
#[derive(Clone, Copy)]
struct Group {
    parent: usize,
    pattern: OperatorPattern,
    size: usize,
}

/// The operators of a block in order, and their groups.
struct Graph {
    nodes: Vec<Node>,
    groups: Vec<Group>,
    limit: usize,
}

/// The pattern of a use of a value by an operator: of a broadcast operator, an operand of the shape of the result is elementwise.
fn edge(body: &Body, user: Op, pattern: Option<OperatorPattern>, value: Value) -> OperatorPattern {
    let ctx = body.context();
    match pattern {
        Some(OperatorPattern::Broadcast) => {
            let result = body.op(user).result_types().next().and_then(|ty| ty.shape(ctx));
            let same = result.is_some() && result == body.ty(value).shape(ctx);
            if same { OperatorPattern::Elementwise } else { OperatorPattern::Broadcast }
        }
        Some(OperatorPattern::Tuple) => OperatorPattern::Injective,
        Some(pattern) => pattern,
        None => OperatorPattern::Opaque,
    }
}

impl Graph {
    fn of(body: &Body, block: Block, limit: usize) -> Graph {
        let ctx = body.context();
        let ops: Vec<Op> = body.block(block).ops().collect();
        let positions: FxHashMap<Op, usize> = ops.iter().enumerate().map(|(at, &op)| (op, at)).collect();
        let patterns: Vec<Option<OperatorPattern>> = ops
            .iter()
            .map(|&op| ctx.service::<dyn OperatorPatterns>(body.op(op).kind())?.pattern(body.op(op)))
            .collect();
        let last = ops.len().saturating_sub(1);
        let node = |(at, &op): (usize, &Op)| {
            let (mut users, mut escapes) = (Vec::new(), at == last);
            for value in body.op(op).results() {
                for place in body.uses(value) {
                    match positions.get(&place.op) {
                        Some(&user) if user != last || patterns[user].is_some() => {
                            users.push((user, edge(body, place.op, patterns[user], value)));
                        }
                        _ => escapes = true,
                    }
                }
            }
            let service = ctx.service::<dyn OperatorPatterns>(body.op(op).kind());
            let is_free = service.is_some_and(|service| service.is_free(body.op(op)));
            Node { op, pattern: patterns[at], users, escapes, is_free, parent: None, depth: 0 }
        };
        let nodes: Vec<Node> = ops.iter().enumerate().map(node).collect();
        let group = |(parent, pattern): (usize, &Option<OperatorPattern>)| Group {
            parent,
            pattern: pattern.unwrap_or(OperatorPattern::Opaque),
            size: 1,
        };
        let groups = patterns.iter().enumerate().map(group).collect();
        Graph { nodes, groups, limit }
    }

    /// The groups that become functions, those that end last first, with their names.
    fn groups(mut self, body: &Body) -> Vec<(Vec<Op>, String)> {
        for at in (0..self.nodes.len()).rev() {
            self.post_dominate(at);
        }
        for phase in 0..3 {
            for at in 0..self.nodes.len() {
                self.fuse(at, phase);
            }
        }
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for at in (0..self.nodes.len()).rev() {
            if self.nodes[at].pattern.is_none() {
                continue;
            }
            let number = *numbers.entry(self.root(at)).or_insert(found.len());
            if number == found.len() {
                found.push(Vec::new());
            }
            found[number].push(at);
        }
        let is_kernel = |group: &Vec<usize>| group.len() > 1 || !self.nodes[group[0]].is_free;
        let named = |group: Vec<usize>| {
            let ops: Vec<Op> = group.iter().rev().map(|&at| self.nodes[at].op).collect();
            let name = name(body, &ops);
            (ops, name)
        };
        found.into_iter().filter(is_kernel).map(named).collect()
    }

    /// Finds the immediate post-dominator: the least common ancestor of the users in the tree of post-dominators.
    fn post_dominate(&mut self, at: usize) {
        self.nodes[at].depth = 1;
        let Some((&(first, pattern), others)) = self.nodes[at].users.split_first() else { return };
        if self.nodes[at].escapes {
            return;
        }
        let (mut parent, mut pattern, mut steps) = (first, pattern, 0);
        for &(other, edge) in others {
            let mut other = other;
            pattern = pattern.max(edge);
            while parent != other {
                let lower =
                    if self.nodes[parent].depth < self.nodes[other].depth { &mut other } else { &mut parent };
                steps += 1;
                match self.nodes[*lower].parent {
                    Some((next, passed)) if steps <= self.limit => {
                        pattern = pattern.max(passed);
                        *lower = next;
                    }
                    _ => return,
                }
            }
        }
        self.nodes[at].parent = Some((parent, pattern));
        self.nodes[at].depth = self.nodes[parent].depth + 1;
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.groups[at].parent != at {
            self.groups[at].parent = self.groups[self.groups[at].parent].parent;
            at = self.groups[at].parent;
        }
        at
    }

    /// The pattern of the group of an operator.
    fn pattern(&mut self, at: usize) -> OperatorPattern {
        let root = self.root(at);
        self.groups[root].pattern
    }

    fn fuse(&mut self, at: usize, phase: usize) {
        use OperatorPattern::{Broadcast, Complex, Elementwise, Injective, Reduction, Tuple};
        let (Some((parent, path)), Some(_)) = (self.nodes[at].parent, self.nodes[at].pattern) else { return };
        let own = self.groups[at].pattern;
        if phase == 2 {
            let to_tuple = self.groups[parent].pattern == Tuple && self.pattern(parent) <= Injective;
            if own <= Injective && to_tuple {
                self.commit(at, parent, |pattern, _| pattern <= Injective);
            }
            return;
        }
        if self.root(at) == self.root(parent) || self.groups[parent].pattern == Tuple {
            return;
        }
        match own {
            Complex if phase == 0 && path == Elementwise => {
                self.commit(at, parent, |pattern, _| pattern <= Broadcast);
            }
            Elementwise | Broadcast if path <= Reduction => {
                self.commit(at, parent, |pattern, is_sink| {
                    pattern <= Injective || is_sink && pattern <= Complex
                });
            }
            Injective | Tuple if phase == 1 => self.commit(at, parent, |pattern, _| pattern <= Injective),
            _ => {}
        }
    }

    /// Unites the group of an operator with that of its post-dominator, and the groups on the paths between them, if all
    /// patterns fit.
    fn commit(&mut self, at: usize, sink: usize, fits: impl Fn(OperatorPattern, bool) -> bool) {
        let mut visited: FxHashSet<usize> = FxHashSet::from_iter([at]);
        let mut pending = vec![at];
        while let Some(from) = pending.pop() {
            for user in self.nodes[from].users.clone().into_iter().map(|(user, _)| user) {
                if visited.contains(&user) {
                    continue;
                }
                if self.nodes[user].pattern.is_none()
                    || !fits(self.pattern(user), user == sink)
                    || visited.len() > self.limit
                {
                    return;
                }
                visited.insert(user);
                if user != sink {
                    pending.push(user);
                }
            }
        }
        let mut roots: Vec<usize> = visited.into_iter().map(|at| self.root(at)).collect();
        roots.sort_unstable();
        roots.dedup();
        let size: usize = roots.iter().map(|&root| self.groups[root].size).sum();
        // A kernel has one complex computation or reduction.
        let complex = |&&root: &&usize| {
            let pattern = self.groups[root].pattern;
            pattern > OperatorPattern::Injective && pattern != OperatorPattern::Tuple
        };
        if size > self.limit || roots.iter().filter(complex).count() > 1 {
            return;
        }
        let target = self.root(sink);
        for root in roots {
            // Only a complex computation determines the pattern of a group that it is not the last operator of.
            if self.groups[root].pattern == OperatorPattern::Complex {
                self.groups[target].pattern = OperatorPattern::Complex;
            }
            self.groups[root].parent = target;
        }
        self.groups[target].size = size;
    }
}

/// A name for a group of operators.
fn name(body: &Body, ops: &[Op]) -> String {
    const MAX_LENGTH: usize = 80;
    let mut name = String::from("fused");
    for &op in ops {
        let full = body.op(op).name();
        let short = full.split_once('.').map_or(full, |(_, short)| short).replace('.', "_");
        if name.len() + short.len() > MAX_LENGTH {
            break;
        }
        name.push('_');
        name.push_str(&short);
    }
    name
}
