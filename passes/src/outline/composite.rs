//! `merge-composite` and `partition-graph`: parts of functions that a library or an accelerator computes become functions.
//!
//! `merge-composite` finds chains of operations, such as a convolution, a bias and an activation, and makes a private function of
//! each, with the attribute `Composite`. The intermediate results of a chain have no other users. Of several chains that fit, the first one
//! is taken, and chains that end later in a block precede others.
//!
//! `partition-graph` makes functions of regions with one result that consist of supported operations, with the attributes `Compiler` and
//! `global_symbol`. A region grows from its last operation to the operands of which all users are inside, so that nothing outside
//! lies between two operations of it.

use super::{OutlineOptions, Outliner, Part, is_bound};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{
    Attr, Block, Body, Context, InsertionPoint, Op, OpRef, ServiceId, SymbolTable, Traits, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options};
use minoan_services::{Calls, Composites, FunctionMaterializer};
use rustc_hash::FxHashSet;

const COMPOSITE: &str = "Composite";
const COMPILER: &str = "Compiler";

pass_options! {
    /// The options of `merge-composite`.
    pub struct MergeCompositeOptions {
        /// The chains as NAME=OPERATION+OPERATION?+.., where a question mark marks an operation that may be missing; those of the dialects if there are none
        "patterns" patterns: Vec<String> = Vec::new(),
    }
}

pass_options! {
    /// The options of `partition-graph`.
    pub struct PartitionGraphOptions {
        /// The name of the compiler
        "compiler" compiler: String = "default".to_owned(),
        /// The supported operations, besides calls of composite functions
        "operations" operations: Vec<String> = Vec::new(),
    }
}

/// Makes functions of chains of operations.
#[derive(Default)]
pub struct MergeComposite {
    /// The options of this pass.
    pub options: MergeCompositeOptions,
}

/// Makes functions of regions of supported operations.
#[derive(Default)]
pub struct PartitionGraph {
    /// The options of this pass.
    pub options: PartitionGraphOptions,
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

    /// The operations of the chain that ends with an operation, in order.
    fn ending_with(&self, body: &Body, last: Op, taken: &FxHashSet<Op>) -> Option<Vec<Op>> {
        let mut found: Vec<Op> = Vec::new();
        // The operations that may be the next one of the chain; none are in another block.
        let mut candidates = vec![last];
        for (at, (name, optional)) in self.ops.iter().enumerate().rev() {
            let matching =
                candidates.iter().copied().find(|&op| body.op(op).name() == name && !taken.contains(&op));
            let Some(op) = matching else {
                // What precedes a missing operation is compared with the same candidates.
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
        Some(found)
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

    fn asks(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn Composites>(), ServiceId::of::<dyn FunctionMaterializer>()]
    }

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
        let find = |body: &Body, block: Block| {
            let ops: Vec<Op> = body.block(block).ops().collect();
            let mut taken = FxHashSet::default();
            let mut groups = Vec::new();
            for &last in ops.iter().rev() {
                let chain =
                    chains.iter().find_map(|chain| Some((chain, chain.ending_with(body, last, &taken)?)));
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

    fn asks(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn Calls>(), ServiceId::of::<dyn FunctionMaterializer>()]
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-partitions", "Number of functions created")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let PartitionGraphOptions { compiler, operations } = &self.options;
        let body = run.module_mut().body_mut();
        let symbols = SymbolTable::of(body);
        let composite = ctx.name(COMPOSITE);
        let composites: FxHashSet<_> = symbols
            .names()
            .filter(|&name| symbols.get(name).is_some_and(|op| body.op(op).attr(composite).is_some()))
            .collect();
        let supported = |op: OpRef<'_>| {
            let fixed = [Traits::TERMINATOR, Traits::SYMBOL, Traits::CONSTANT_LIKE, Traits::ISOLATED];
            if fixed.into_iter().any(|fixed| op.has_trait(fixed)) || is_bound(op) || op.n_results() != 1 {
                return false;
            }
            let callee =
                ctx.service::<dyn Calls>(op.kind()).and_then(|calls| calls.callee(op)?.as_flat_symbol(&ctx));
            callee.is_some_and(|callee| composites.contains(&callee))
                || operations.iter().any(|name| name == op.name())
        };
        let find = |body: &Body, block: Block| {
            let ops: Vec<Op> = body.block(block).ops().collect();
            let mut taken: FxHashSet<Op> = FxHashSet::default();
            let mut groups = Vec::new();
            for &last in ops.iter().rev() {
                if taken.contains(&last) || !supported(body.op(last)) {
                    continue;
                }
                let mut region: FxHashSet<Op> = FxHashSet::from_iter([last]);
                let mut pending = vec![last];
                while let Some(op) = pending.pop() {
                    for producer in body.op(op).operands().filter_map(|value| body.defining_op(value)) {
                        let view = body.op(producer);
                        let inside = view
                            .results()
                            .flat_map(|result| body.uses(result))
                            .all(|user| region.contains(&user.op));
                        if inside
                            && view.block() == Some(block)
                            && supported(view)
                            && !taken.contains(&producer)
                            && region.insert(producer)
                        {
                            // An operand of it that was rejected may have had a user in it.
                            pending.push(producer);
                        }
                    }
                }
                taken.extend(region.iter().copied());
                groups
                    .push((ops.iter().copied().filter(|op| region.contains(op)).collect(), compiler.clone()));
            }
            groups
        };
        // The bodies of composite functions stay as they are.
        let made = each_group(
            &ctx,
            run,
            find,
            |name, number| format!("{name}_{number}"),
            |ctx, body, op, name, symbol| {
                body.set_attr(op, ctx.name(COMPILER), Some(Attr::string(ctx, name)));
                body.set_attr(op, ctx.name("global_symbol"), Some(Attr::string(ctx, symbol)));
                body.set_attr(op, ctx.name("Primitive"), Some(Attr::i64(ctx, 1)));
            },
        );
        run.count("num-partitions", made);
        Ok(())
    }
}

/// Makes functions of the groups of operations that `find` returns for the blocks of the module's functions, with the name of each group.
/// The result of a group is that of its last operation. Returns the number of functions.
fn each_group(
    ctx: &Context,
    run: &mut PassRun<'_>,
    find: impl Fn(&Body, Block) -> Vec<(Vec<Op>, String)>,
    symbol: impl Fn(&str, usize) -> String,
    mark: impl Fn(&Context, &mut Body, Op, &str, &str),
) -> u64 {
    let any = <dyn FunctionMaterializer>::any(ctx);
    let body = run.module_mut().body_mut();
    let mut symbols = SymbolTable::of(body);
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    let ops = blocks.flat_map(|block| body.block(block).ops()).filter(|&op| {
        let view = body.op(op);
        // Functions that a library computes are not divided.
        view.has_trait(Traits::FUNCTION_LIKE)
            && [COMPOSITE, COMPILER].iter().all(|name| view.attr_named(name).is_none())
    });
    let owners: Vec<Op> = ops.collect();
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
            let results: Vec<Value> = inside.op(last).results().collect();
            let Some((mut part, captured)) = outliner.part(inside, &ops, &results, &symbols) else {
                continue;
            };
            let wanted = symbol(&format!("{name}_{group}"), parts.len());
            part.name = symbols.fresh(ctx, &wanted).as_str(ctx).to_owned();
            let call = part.functions.call(ctx, &part.name, &captured, &part.results).loc(part.loc);
            let call = inside.create(&call, InsertionPoint::Before(last));
            let values: Vec<Value> = inside.op(call).results().collect();
            inside.replace(last, &values);
            ops[..ops.len() - 1].iter().rev().for_each(|&op| inside.erase(op));
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
