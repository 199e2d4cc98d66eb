//! `merge-composite`: chains of operations that a library or an accelerator computes at once become functions.
//!
//! The pass finds chains, such as a convolution, a bias and an activation, and makes a private function of each, with the
//! attribute `Composite`. The value that an operation of a chain passes to the next one has no other users. If several chains
//! match, the first one is used, and chains that end later in a block precede others. Further results of the operations, such
//! as the statistics of a normalization, are results of the function, too, if they are only used after the chain. Blocks in
//! which regions are marked for a compiler are unchanged.

use super::partition::is_marked;
use super::{OutlineOptions, Outliner, Part, used_outside};
use crate::analysis::call_sites::functions_in;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Attr, Block, Body, Context, InsertionPoint, Op, SymbolTable, Value};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{Composites, FunctionMaterializer, RegionMarks};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) const COMPOSITE: &str = "Composite";
pub(super) const COMPILER: &str = "Compiler";
pub(super) const PRIMITIVE: &str = "Primitive";

pass_options! {
    /// The options of `merge-composite`.
    pub struct MergeCompositeOptions {
        /// The chains as NAME=OPERATION+OPERATION?+.., where a question mark marks an operation that may be missing; those of the dialects if there are none
        "patterns" patterns: Vec<String> = Vec::new(),
    }
}

/// Makes functions of chains of operations.
#[derive(Default)]
pub struct MergeComposite {
    /// The options of this pass.
    pub options: MergeCompositeOptions,
}

/// A chain of operations, with whether each may be missing.
struct Chain {
    name: String,
    ops: Vec<(String, bool)>,
}

impl Chain {
    fn of(name: &str, ops: impl Iterator<Item = impl AsRef<str>>) -> Chain {
        let optional = |op: &str| match op.strip_suffix('?') {
            Some(op) => (op.to_owned(), true),
            None => (op.to_owned(), false),
        };
        Chain { name: name.to_owned(), ops: ops.map(|op| optional(op.as_ref().trim())).collect() }
    }

    /// Parses `NAME=OPERATION+OPERATION?`.
    fn parse(text: &str) -> Result<Chain, Diagnostic> {
        let parts =
            text.split_once('=').filter(|(name, ops)| !name.trim().is_empty() && !ops.trim().is_empty());
        let chain = parts.map(|(name, ops)| Chain::of(name.trim(), ops.split('+')));
        let chain = chain.filter(|chain| chain.ops.iter().all(|(op, _)| op.contains('.')));
        let chain = chain.filter(|chain| chain.ops.iter().any(|(_, optional)| !optional));
        chain.ok_or_else(|| {
            let error =
                format!("expected a pattern 'NAME=DIALECT.OPERATION+DIALECT.OPERATION?', but found '{text}'");
            Diagnostic::error(error)
        })
    }

    /// The operations of the chain that ends with an operation, in order. `positions` are those of the operations of its block.
    fn ending_with(
        &self,
        body: &Body,
        last: Op,
        taken: &FxHashSet<Op>,
        positions: &FxHashMap<Op, usize>,
    ) -> Option<Vec<Op>> {
        let mut found: Vec<Op> = Vec::new();
        // The candidates for the next operation of the chain, all in one block.
        let mut candidates = vec![last];
        for (at, (name, optional)) in self.ops.iter().enumerate().rev() {
            let matching =
                candidates.iter().copied().find(|&op| body.op(op).name() == name && !taken.contains(&op));
            let Some(op) = matching else {
                // If an optional operation is missing, the one before it is matched against the same candidates.
                if *optional && (at > 0 || !found.is_empty()) {
                    continue;
                }
                return None;
            };
            found.push(op);
            let view = body.op(op);
            let only_use = |&value: &Value| body.uses(value).count() == 1;
            let producers = view.operands().filter(only_use).filter_map(|value| body.defining_op(value));
            candidates = producers.filter(|&producer| body.op(producer).block() == view.block()).collect();
        }
        found.reverse();
        let is_behind = |value: &Value| {
            body.uses(*value).all(|user| {
                let mut around = body.op(user.op).ancestors();
                around.any(|op| positions.get(&op.id()).is_some_and(|&at| at > positions[&last]))
            })
        };
        let given = used_outside(body, &found);
        given.iter().all(is_behind).then_some(found)
    }
}

impl Pass for MergeComposite {
    fn name(&self) -> &'static str {
        "merge-composite"
    }

    fn description(&self) -> &'static str {
        "make composite functions of chains of operations"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(Composites, FunctionMaterializer, RegionMarks);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-composites", "Number of composite functions created")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let mut errors = Diagnostics::new();
        let mut chains = Vec::new();
        for text in &self.options.patterns {
            match Chain::parse(text) {
                Ok(chain) => chains.push(chain),
                Err(error) => errors.push(error),
            }
        }
        if errors.has_errors() {
            return Err(errors);
        }
        if self.options.patterns.is_empty() {
            let known = ctx.dialects().iter().filter_map(|dialect| dialect.service::<dyn Composites>());
            let known = known.flat_map(|service| service.composites());
            chains.extend(known.map(|chain| Chain::of(chain.name, chain.ops.iter())));
        }
        let find = |body: &mut Body, block: Block| {
            if is_marked(body, block) {
                return Vec::new();
            }
            let ops: Vec<Op> = body.block(block).ops().collect();
            let positions = ops.iter().enumerate().map(|(at, &op)| (op, at)).collect();
            let mut taken = FxHashSet::default();
            let mut groups = Vec::new();
            for &last in ops.iter().rev() {
                let chain = chains
                    .iter()
                    .find_map(|chain| Some((chain, chain.ending_with(body, last, &taken, &positions)?)));
                if let Some((chain, found)) = chain {
                    taken.extend(found.iter().copied());
                    groups.push((found, chain.name.clone()));
                }
            }
            groups
        };
        let made = each_group(
            &ctx,
            run,
            find,
            |name, number| format!("{name}_{number}"),
            |ctx, body, op, name, _| {
                body.set_attr(op, ctx.name(COMPOSITE), Some(Attr::string(ctx, name)));
            },
        );
        run.count("num-composites", made);
        Ok(())
    }
}

/// Outlines the groups of operations that `find` returns for the blocks of the module's functions, last ones first, with the
/// name of each group. A call replaces the last operation of a group, so the results must not be used before it. Returns the
/// number of outlined functions.
pub(super) fn each_group(
    ctx: &Context,
    run: &mut PassRun<'_>,
    find: impl Fn(&mut Body, Block) -> Vec<(Vec<Op>, String)>,
    symbol: impl Fn(&str, usize) -> String,
    mark: impl Fn(&Context, &mut Body, Op, &str, &str),
) -> u64 {
    let any = <dyn FunctionMaterializer>::any(ctx);
    let body = run.module_mut().body_mut();
    let mut symbols = SymbolTable::of(body);
    let mut owners = functions_in(body);
    // Functions that a library or one kernel implements are not partitioned.
    owners.retain(|&op| {
        [COMPOSITE, COMPILER, PRIMITIVE].iter().all(|name| body.op(op).attr_named(name).is_none())
    });
    let mut made = 0;
    for owner in owners {
        let Some(name) = body.op(owner).symbol_name().map(str::to_owned) else { continue };
        let own = ctx.service::<dyn FunctionMaterializer>(body.op(owner).kind());
        let Some(inside) = body.nested_mut(owner) else { continue };
        let OutlineOptions { max_operations: most, .. } = OutlineOptions::default();
        let mut outliner =
            Outliner { ctx, own, any, mark: None, least: 0, most, name: name.clone(), number: 0 };
        let mut parts: Vec<(Part<'_>, String)> = Vec::new();
        let mut groups: Vec<(Vec<Op>, String)> = Vec::new();
        for region in inside.regions().collect::<Vec<_>>() {
            let mut pending: Vec<Block> = inside.region(region).blocks().collect();
            while let Some(block) = pending.pop() {
                let nested = inside.block(block).ops().flat_map(|op| inside.op(op).own_regions());
                pending.extend(nested.flat_map(|region| inside.region(region).blocks()));
                groups.extend(find(inside, block));
            }
        }
        for (ops, group) in groups.into_iter().rev() {
            let Some(&last) = ops.last() else { continue };
            let given = used_outside(inside, &ops);
            let Some((mut part, captured)) = outliner.part(inside, &ops, &given, &symbols) else {
                continue;
            };
            let wanted = symbol(&format!("{name}_{group}"), parts.len());
            part.name = symbols.fresh(ctx, &wanted).as_str(ctx).to_owned();
            let values = part.call(ctx, inside, &captured, InsertionPoint::Before(last));
            given.iter().zip(values).for_each(|(&given, value)| inside.replace_all_uses(given, value));
            ops.iter().rev().for_each(|&op| inside.erase(op));
            parts.push((part, group));
        }
        made += parts.len() as u64;
        let mut at = owner;
        for (part, group) in parts {
            let symbol = part.name.clone();
            at = part.insert(ctx, body, at, &mut symbols);
            mark(ctx, body, at, &group, &symbol);
        }
    }
    made
}
