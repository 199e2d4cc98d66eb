//! `outline`: moves parts of functions to functions of their own.
//!
//! The regions of operations that carry an attribute, or of conditions and loops with many operations, are replaced by a
//! call of a new private function. Its arguments are the arguments of the region and the values that it captures, its results
//! the operands of the terminator; a region of several blocks must have one kind of exit. Constants are copied. A marked
//! operation without regions is replaced by a call itself. Blocks that are too long for LLVM are [`split`]. Computations that
//! occur several times are [shared](repeated). Inner regions come first. The time is linear in the size of the function, times
//! the nesting depth of what is outlined.

mod boundary;
pub mod composite;
pub mod group;
pub mod parallel;
pub mod partition;
mod repeated;
mod split;

use crate::analysis::call_sites::functions_in;
use boundary::{Captures, escapes, has_required_parent, is_control, is_copied, is_exit, used_outside};
use minoan_diag::Diagnostics;
use minoan_ir::{
    Block, Body, Builder, Context, InsertionPoint, Loc, Mapping, Name, Op, Region, ServiceTable, SymbolTable,
    Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{AliasModel, Calls, FunctionMaterializer, IterationDomain, LoopLike, RegionFlow};
use rustc_hash::FxHashSet;

pass_options! {
    /// The options of the pass.
    pub struct OutlineOptions {
        /// Outline operations with this attribute, and remove it
        "attribute" attribute: String = String::new(),
        /// Outline the regions of conditionals and loops with more operations than this; 0 for none
        "min-operations" min_operations: usize = 0,
        /// Split blocks with more operations than this into functions that are not inlined; 0 for none
        "max-operations" max_operations: usize = 0,
        /// Move a computation on buffers that occurs several times to one function, if that saves this many operations; 0 for never
        "repeated" repeated: usize = 0,
    }
}

/// Outlines parts of functions.
#[derive(Default)]
pub struct Outline {
    /// The options of this pass.
    pub options: OutlineOptions,
}

impl Pass for Outline {
    fn name(&self) -> &'static str {
        "outline"
    }

    fn description(&self) -> &'static str {
        "move marked operations, regions of large conditions and loops, repeated computations, and parts of long blocks to \
         functions"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(AliasModel, Calls, FunctionMaterializer, IterationDomain, LoopLike, RegionFlow);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-outlined", "Number of functions created")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let any = <dyn FunctionMaterializer>::any(&ctx);
        let mark = Some(&self.options.attribute).filter(|name| !name.is_empty()).map(|name| ctx.name(name));
        let body = run.module_mut().body_mut();
        let owners = functions_in(body);
        let mut symbols = SymbolTable::of(body);
        let mut made = 0;
        if self.options.repeated > 0 {
            made += repeated::share(&ctx, body, &owners, &self.options, &mut symbols);
        }
        for owner in owners {
            let Some(name) = body.op(owner).symbol_name().map(str::to_owned) else { continue };
            let own = ctx.service::<dyn FunctionMaterializer>(body.op(owner).kind());
            let Some(inside) = body.nested_mut(owner) else { continue };
            let OutlineOptions { min_operations: least, max_operations: most, .. } = self.options;
            let mut outliner = Outliner { ctx: &ctx, own, any, mark, least, most, name, number: 0 };
            let mut parts = Vec::new();
            if mark.is_some() || least > 0 {
                parts = outliner.run(inside, &symbols);
            }
            if most > 0 {
                parts.extend(outliner.split(inside, &symbols));
            }
            made += parts.len() as u64;
            let mut at = owner;
            for part in parts {
                at = part.insert(&ctx, body, at, &mut symbols);
            }
        }
        run.count("num-outlined", made);
        Ok(())
    }
}

/// A function that was outlined but not yet inserted.
struct Part<'c> {
    functions: &'c dyn FunctionMaterializer,
    name: String,
    inputs: Vec<Type>,
    results: Vec<Type>,
    body: Body,
    loc: Loc,
    /// Whether it is not to be inlined again.
    is_out_of_line: bool,
    /// The types of the values that its only result consists of, if the dialect's functions have a single result.
    packed: Option<Vec<Type>>,
}

impl Part<'_> {
    /// Creates a call; returns the results of the function, unpacked.
    fn call(&self, ctx: &Context, body: &mut Body, args: &[Value], point: InsertionPoint) -> Vec<Value> {
        let mut b = Builder::new(body, point).with_loc(self.loc);
        let call = b.create(self.functions.call(ctx, &self.name, args, &self.results));
        let results: Vec<Value> = b.body().op(call).results().collect();
        let (Some(types), Some(packing)) = (&self.packed, self.functions.packing()) else { return results };
        let part = |(index, &ty): (usize, &Type)| {
            let part = b.create(packing.part(ctx, results[0], index, ty));
            b.body().op(part).result(0)
        };
        types.iter().enumerate().map(part).collect()
    }

    /// Adds the function to a module, after the function `at`; returns it.
    fn insert(self, ctx: &Context, body: &mut Body, at: Op, symbols: &mut SymbolTable) -> Op {
        let mut b = Builder::new(body, InsertionPoint::After(at)).with_loc(self.loc);
        let made = self.functions.declare(&mut b, &self.name, &self.inputs, &self.results);
        *body.nested_mut(made).expect("a function owns its body") = self.body;
        if self.is_out_of_line {
            self.functions.keep_out_of_line(body, made);
        }
        symbols.insert(ctx.name(&self.name), made);
        made
    }
}

/// The state of outlining from a function.
struct Outliner<'c> {
    ctx: &'c Context,
    /// The materializer of the enclosing function's dialect, and the fallback.
    own: Option<&'c dyn FunctionMaterializer>,
    any: Option<&'c dyn FunctionMaterializer>,
    mark: Option<Name>,
    least: usize,
    /// Blocks with more operations are split; 0 for none.
    most: usize,
    /// The name of the function being outlined, the prefix of the names of its parts.
    name: String,
    number: usize,
}

impl<'c> Outliner<'c> {
    fn run(&mut self, body: &mut Body, symbols: &SymbolTable) -> Vec<Part<'c>> {
        let order = body.walk();
        let points = self.points(body, &order);
        // The number of nested operations of each operation.
        let mut inside = vec![0usize; body.op_capacity()];
        let mut parts = Vec::new();
        for &op in order.iter().rev() {
            let view = body.op(op);
            let parent = view.parent();
            let marked = self.mark.filter(|&mark| view.attrs().get(self.ctx, mark).is_some());
            let is_large = self.least > 0 && inside[op.index()] > self.least;
            let large = is_large && is_control(view) && !points[op.index()];
            if let Some(mark) = marked {
                body.set_attr(op, mark, None);
            }
            let mut size = 1 + inside[op.index()];
            if marked.is_some() && body.op(op).n_regions() == 0 {
                parts.extend(self.outline_op(body, op, symbols));
            } else if marked.is_some() || large {
                let regions: Vec<Region> = body.op(op).own_regions().collect();
                let before = parts.len();
                for region in regions {
                    parts.extend(self.region(body, region, symbols));
                }
                size = if parts.len() > before { 3 } else { size };
            }
            if let Some(parent) = parent {
                inside[parent.index()] += size;
            }
        }
        parts
    }

    /// For each operation, whether it contains, or is contained in, the point computation of an iteration domain that uses the
    /// indices of the point. Such a computation is not split. `order` is pre-order.
    fn points(&self, body: &Body, order: &[Op]) -> Vec<bool> {
        let domains: Option<&ServiceTable<dyn IterationDomain>> = self.ctx.service_table();
        let mut asks = vec![false; body.op_capacity()];
        for &op in order.iter().rev() {
            let view = body.op(op);
            // An operation without operands that is not a constant is an index of a point or the address of a global.
            asks[op.index()] |= is_copied(view) && !view.has_trait(Traits::CONSTANT_LIKE);
            if let Some(parent) = view.parent().filter(|_| asks[op.index()]) {
                asks[parent.index()] = true;
            }
        }
        let mut points = vec![false; body.op_capacity()];
        for &op in order {
            let view = body.op(op);
            let is_domain = domains.is_some_and(|domains| domains.get(view.kind()).is_some());
            let around = view.parent().is_some_and(|parent| points[parent.index()]);
            points[op.index()] = around || (is_domain && asks[op.index()]);
        }
        points
    }

    /// The materializer for an outlined function: that of the enclosing function's dialect if it supports the results and
    /// blocks.
    fn functions_for(&self, results: &[Type], blocks: usize) -> Option<&'c dyn FunctionMaterializer> {
        self.own.into_iter().chain(self.any).find(|kind| kind.fits(self.ctx, results, blocks))
    }

    /// The packed type of the results of a function with several results; `None` if functions of the dialect can return
    /// several results directly.
    fn packed(&self, own: &dyn FunctionMaterializer, types: &[Type]) -> Option<Type> {
        if own.fits(self.ctx, types, 1) {
            return None;
        }
        let packed = own.packing()?.packed(self.ctx, types);
        own.fits(self.ctx, &[packed], 1).then_some(packed)
    }

    fn fresh(&mut self, symbols: &SymbolTable) -> String {
        loop {
            let name = format!("{}_outlined_{}", self.name, self.number);
            self.number += 1;
            if symbols.get(self.ctx.name(&name)).is_none() {
                return name;
            }
        }
    }

    /// Outlines an operation without regions.
    fn outline_op(&mut self, body: &mut Body, op: Op, symbols: &SymbolTable) -> Option<Part<'c>> {
        let view = body.op(op);
        let fixed = [Traits::TERMINATOR, Traits::SYMBOL, Traits::CONSTANT_LIKE, Traits::ISOLATED];
        if fixed.into_iter().any(|fixed| view.has_trait(fixed))
            || has_required_parent(view)
            || escapes(body, view.results())
        {
            return None;
        }
        let results: Vec<Value> = view.results().collect();
        let (part, captured) = self.part(body, &[op], &results, symbols)?;
        let results = part.call(self.ctx, body, &captured, InsertionPoint::Before(op));
        body.replace(op, &results);
        Some(part)
    }

    /// Outlines the operations of a region except its terminator.
    fn region(&mut self, body: &mut Body, region: Region, symbols: &SymbolTable) -> Option<Part<'c>> {
        let mut blocks = body.region(region).blocks();
        let (Some(block), None) = (blocks.next(), blocks.next()) else {
            drop(blocks);
            return self.blocks(body, region, symbols);
        };
        drop(blocks);
        let mut ops: Vec<Op> = body.block(block).ops().collect();
        let end = ops.pop().filter(|&end| body.op(end).has_trait(Traits::TERMINATOR))?;
        let stays = |&op: &Op| body.op(op).has_trait(Traits::SYMBOL) || has_required_parent(body.op(op));
        if ops.is_empty() || body.op(end).n_regions() > 0 || ops.iter().any(stays) {
            return None;
        }
        let own: FxHashSet<Value> = ops.iter().flat_map(|&op| body.op(op).results()).collect();
        let mut seen = FxHashSet::default();
        let given: Vec<Value> =
            body.op(end).operands().filter(|&value| own.contains(&value) && seen.insert(value)).collect();
        if escapes(body, given.iter().copied()) {
            return None;
        }
        let (part, captured) = self.part(body, &ops, &given, symbols)?;
        let results = part.call(self.ctx, body, &captured, InsertionPoint::Before(end));
        given.iter().zip(results).for_each(|(&given, result)| body.replace_all_uses(given, result));
        ops.into_iter().rev().for_each(|op| body.erase(op));
        Some(part)
    }

    /// Outlines all blocks of a region with several blocks, which must have a single exit.
    fn blocks(&mut self, body: &mut Body, region: Region, symbols: &SymbolTable) -> Option<Part<'c>> {
        let blocks: Vec<Block> = body.region(region).blocks().collect();
        let (&first, _) = blocks.split_first()?;
        let ops: Vec<Op> = blocks.iter().flat_map(|&block| body.block(block).ops()).collect();
        let exits: Vec<Op> = ops.iter().copied().filter(|&op| is_exit(body.op(op))).collect();
        let &exit = exits.first()?;
        let form = |op: Op| {
            let view = body.op(op);
            (view.kind(), view.props(), view.attrs(), view.operand_types().collect::<Vec<Type>>())
        };
        let stays = |&op: &Op| body.op(op).has_trait(Traits::SYMBOL) || has_required_parent(body.op(op));
        let mut others = ops.iter().filter(|&&op| !is_exit(body.op(op)));
        if exits.iter().any(|&other| form(other) != form(exit) || body.op(other).n_regions() > 0)
            || others.any(stays)
            || exits.iter().any(|&exit| escapes(body, body.op(exit).operands()))
        {
            return None;
        }
        let results: Vec<Type> = body.op(exit).operand_types().collect();
        let functions = self.functions_for(&results, blocks.len())?;
        let (part, captured) = self.part_of_blocks(body, region, &ops, (functions, results), symbols);
        let args: Vec<(Type, Loc)> =
            body.block(first).args().map(|arg| (body.ty(arg), body.value_loc(arg))).collect();
        let types: Vec<Type> = args.iter().map(|&(ty, _)| ty).collect();
        let only = body.add_block_before(first, &types);
        args.iter().enumerate().for_each(|(at, &(_, loc))| body.set_arg_loc(only, at, loc));
        let given: Vec<Value> = body.block(only).args().chain(captured).collect();
        let call = functions.call(self.ctx, &part.name, &given, &part.results).loc(part.loc);
        let call = body.create(&call, InsertionPoint::End(only));
        let results: Vec<Value> = body.op(call).results().collect();
        let end = body.clone_op(exit, InsertionPoint::End(only), &mut Mapping::new());
        body.set_operands(end, &results);
        body.try_erase_blocks(&blocks).expect("nothing outside uses what is inside a region");
        Some(part)
    }

    /// Creates a function from the blocks of a region; also returns the captured values.
    fn part_of_blocks(
        &mut self,
        body: &Body,
        region: Region,
        ops: &[Op],
        (functions, results): (&'c dyn FunctionMaterializer, Vec<Type>),
        symbols: &SymbolTable,
    ) -> (Part<'c>, Vec<Value>) {
        let args = body.region(region).blocks().flat_map(|block| body.block(block).args());
        let Captures { values, constants } = Captures::collect(body, ops, args);
        let mut new = Body::new(self.ctx, 1);
        let root = new.root(0);
        // The captured values are placed in a temporary block until their block exists.
        let types: Vec<Type> = values.iter().map(|&value| body.ty(value)).collect();
        let before = new.add_block(root, &types);
        let mut mapping = Mapping::new();
        for (at, &value) in values.iter().enumerate() {
            mapping.map(value, new.block(before).arg(at));
        }
        let mut constants: Vec<Op> = constants
            .into_iter()
            .map(|constant| new.clone_op_from(body, constant, InsertionPoint::End(before), &mut mapping))
            .collect();
        new.clone_region_from(body, region, root, &mut mapping);
        let entry = new.region(root).blocks().nth(1).expect("a region that was copied has a block");
        while let Some(constant) = constants.pop() {
            new.move_op(constant, InsertionPoint::Start(entry));
        }
        for (at, &value) in values.iter().enumerate() {
            let arg = new.add_arg(entry, types[at], body.value_loc(value));
            let stand_in = new.block(before).arg(at);
            new.replace_all_uses(stand_in, arg);
        }
        new.try_erase_block(before).expect("nothing is left of it");
        let inputs = new.block(entry).args().map(|arg| new.ty(arg)).collect();
        let blocks = new.region(root).blocks();
        let exits = blocks.flat_map(|block| new.block(block).ops()).filter(|&op| is_exit(new.op(op)));
        let exits: Vec<Op> = exits.collect();
        for exit in exits {
            let (given, loc) = (new.op(exit).operands().collect::<Vec<Value>>(), new.op(exit).loc());
            new.create(&functions.return_op(self.ctx, &given).loc(loc), InsertionPoint::Before(exit));
            new.erase(exit);
        }
        let loc = ops.first().map_or(Loc::UNKNOWN, |&op| body.op(op).loc());
        (
            Part {
                functions,
                name: self.fresh(symbols),
                inputs,
                results,
                body: new,
                loc,
                is_out_of_line: false,
                packed: None,
            },
            values,
        )
    }

    /// Creates a function from the operations of a block; also returns the captured values. The function returns the
    /// results `given`. `None` if no function may have these results.
    fn part(
        &mut self,
        body: &Body,
        ops: &[Op],
        given: &[Value],
        symbols: &SymbolTable,
    ) -> Option<(Part<'c>, Vec<Value>)> {
        let Captures { values, constants } = Captures::collect(body, ops, std::iter::empty());
        let types = |values: &[Value]| values.iter().map(|&value| body.ty(value)).collect::<Vec<Type>>();
        let (inputs, given_types) = (types(&values), types(given));
        let packed = self.own.and_then(|own| Some((own, own.packing()?, self.packed(own, &given_types)?)));
        let (functions, results) = match packed {
            Some((own, _, ty)) => (own, vec![ty]),
            None => (self.functions_for(&given_types, 1)?, given_types.clone()),
        };
        let mut new = Body::new(self.ctx, 1);
        let root = new.root(0);
        let entry = new.add_block(root, &inputs);
        let mut mapping = Mapping::new();
        for (at, &value) in values.iter().enumerate() {
            mapping.map(value, new.block(entry).arg(at));
            new.set_arg_loc(entry, at, body.value_loc(value));
        }
        for &op in constants.iter().chain(ops) {
            new.clone_op_from(body, op, InsertionPoint::End(entry), &mut mapping);
        }
        let loc = ops.first().map_or(Loc::UNKNOWN, |&op| body.op(op).loc());
        let mut given: Vec<Value> = given.iter().map(|&value| mapping.value(value)).collect();
        if let Some((_, packing, ty)) = packed {
            let pack = packing.pack(self.ctx, &given, ty).loc(loc);
            let pack = new.create(&pack, InsertionPoint::End(entry));
            given = new.op(pack).results().collect();
        }
        new.create(&functions.return_op(self.ctx, &given).loc(loc), InsertionPoint::End(entry));
        Some((
            Part {
                functions,
                name: self.fresh(symbols),
                inputs,
                results,
                body: new,
                loc,
                is_out_of_line: false,
                packed: packed.map(|_| given_types),
            },
            values,
        ))
    }
}
