//! `plan-frame`: places temporary buffers of a function in one allocation, its frame.
//!
//! A temporary of static size that is freed in the block of its allocation becomes a view of the frame at a constant offset.
//! Temporaries that do not live at the same time may have the same bytes ([`place`]); all are aligned to 64 bytes. The frame is
//! allocated before the first of them and freed after the last one, so a function that ends early, by an assertion before,
//! allocates nothing. Time is O(n log n) for n operations.
//!
//! ```text
//! %a = memref.alloc() : memref<1024xf32>          %frame = memref.alloc() : memref<8192xi8>
//! ..                                              %a = memref.view %frame[0][] : memref<8192xi8> to memref<1024xf32>
//! %b = memref.alloc() : memref<1024xf32>          ..
//! ..                                        ->    %b = memref.view %frame[4096][] : memref<8192xi8> to memref<1024xf32>
//! memref.dealloc %a                               ..
//! ..                                              ..
//! memref.dealloc %b                               memref.dealloc %frame
//! ```
//!
//! * The temporaries of a loop body are in the frame around the loop, unless iterations may execute at the same time.
//! * The temporaries of a branch are in the frame around it if they take at most as many bytes as the temporaries that are always
//!   allocated, or are few bytes. Otherwise the branch has its own frame. So does each block of a region with several blocks.
//! * A function that may call itself has frames between those calls: while a call is in progress, there are only the
//!   temporaries that live longer than the call, in allocations of their own.
//! * The operands of reductions that are not kernels keep their allocations: LLVM keeps a partial result in a register only if it
//!   can prove that the other operands do not alias its element. It can for separate allocations, but not for parts of one.
//! * Buffers on the stack are not temporaries, so `hoist-buffers` precedes this pass.

mod place;
mod scopes;

use crate::analysis::call_sites::{add_symbols, components, functions_in, levels};
use crate::hoist_buffers::{Pair, pairs};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Builder, Context, Def, InsertionPoint, Name, Op, OpRef, Traits, Type, Value};
use minoan_pass::{Anchor, Pass, PassRun, RemarkKind, queries, requires};
use minoan_services::{
    Alias, AliasModel, BufferOps, Calls, DataLayout, IterationDomain, LayoutSpec, RegionFlow, Symbols,
};
use place::{Life, Places, place};
use rustc_hash::FxHashSet;
use scopes::Positions;

/// The alignment of temporaries: a cache line, and the widest vector register.
const ALIGN: u64 = 64;
/// The maximum size of a temporary in bytes.
const MAX_BYTES: u64 = 1 << 40;
/// The temporaries of a branch are in the frame around it if they take at most this number of bytes.
const SMALL_BRANCH: u64 = 1 << 16;

/// Places temporary buffers in frames.
pub struct PlanFrame;

impl Pass for PlanFrame {
    fn name(&self) -> &'static str {
        "plan-frame"
    }

    fn description(&self) -> &'static str {
        "place temporary buffers of a function in one allocation"
    }

    requires!(BufferOps);

    queries!(AliasModel, Calls, DataLayout, IterationDomain, RegionFlow, Symbols);

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-frames", "Number of frames"),
            ("num-temporaries", "Number of temporary buffers that are placed in frames"),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let dialect = ctx.dialects_with::<dyn BufferOps>().next();
        let Some(buffers) = dialect.and_then(|dialect| dialect.service::<dyn BufferOps>()) else {
            return Ok(());
        };
        let spec = LayoutSpec::of(&ctx, run.op().attrs);
        let body = run.module_mut().body_mut();
        let mut wanted: Vec<(Op, Vec<Temporary>)> = Vec::new();
        for function in functions_in(body) {
            let Some(inside) = body.op(function).nested() else { continue };
            let found = temporaries(&ctx, inside, buffers, &spec);
            if found.len() > 1 {
                wanted.push((function, found));
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let components = components(references(&ctx, body).into_iter());
        let (mut remarks, mut placed) = (Vec::new(), 0);
        for (function, found) in wanted {
            let name = body.op(function).symbol_name().map(|name| ctx.name(name));
            let own = name.and_then(|name| components.get(&name));
            let Some(inside) = body.nested_mut(function) else { continue };
            let is_recursive = |name: Name| own.is_some() && components.get(&name) == own;
            let positions = Positions::of(inside, is_recursive);
            let plan = Plan::of(&positions, &found);
            for &frame in &plan.frames {
                let frame = &plan.parts[frame];
                if let Some(remark) = plan.emit(inside, &positions, &found, frame, buffers) {
                    remarks.push(remark);
                    placed += frame.count as u64;
                }
            }
        }
        run.count("num-frames", remarks.len() as u64);
        run.count("num-temporaries", placed);
        remarks.into_iter().for_each(|remark| run.remark(RemarkKind::Passed, remark));
        Ok(())
    }
}

/// A buffer that can be a part of a frame.
struct Temporary {
    pair: Pair,
    bytes: u64,
}

/// The buffers that reductions read or write.
fn reduced(ctx: &Context, body: &Body) -> FxHashSet<Value> {
    let (domains, aliases) =
        (ctx.service_table::<dyn IterationDomain>(), ctx.service_table::<dyn AliasModel>());
    let is_reduction = |op: OpRef<'_>| {
        let domain = domains.and_then(|domains| domains.get(op.kind()));
        domain.is_some_and(|domain| domain.is_reduction(op))
    };
    let base = |mut value: Value| {
        while let Def::Result(op, result) = body.def(value) {
            let view = body.op(op);
            let alias = aliases.and_then(|aliases| Some(aliases.get(view.kind())?.alias(view, result)));
            let Some(Alias::ViewOf(operand)) = alias else { break };
            value = view.operand(operand);
        }
        value
    };
    let reductions = body.walk().into_iter().map(|op| body.op(op)).filter(|&op| is_reduction(op));
    let operands = reductions.flat_map(|op| op.operands().collect::<Vec<Value>>());
    operands.filter(|&operand| body.ty(operand).is_memref(ctx)).map(base).collect()
}

/// The temporaries of a body, in program order.
fn temporaries(ctx: &Context, body: &Body, buffers: &dyn BufferOps, spec: &LayoutSpec) -> Vec<Temporary> {
    let reduced = reduced(ctx, body);
    let size = |pair: &Pair| {
        let alloc = body.op(pair.alloc);
        let ty = alloc.result_types().next().filter(|ty| ty.memory_space(ctx).is_none())?;
        let align = alloc.attr_value::<i64>("alignment").unwrap_or(1);
        let bytes = <dyn DataLayout>::bytes_of_elements(ctx, ty, spec).filter(|&bytes| bytes <= MAX_BYTES)?;
        let is_apart = alloc.n_operands() > 0 || align > ALIGN as i64 || reduced.contains(&alloc.result(0));
        (!is_apart).then(|| bytes.next_multiple_of(ALIGN))
    };
    let pairs = pairs(body, buffers).into_iter();
    pairs.filter_map(|pair| Some(Temporary { bytes: size(&pair)?, pair })).collect()
}

/// For each function, the symbols that it uses.
fn references(ctx: &Context, body: &Body) -> Vec<(Name, Name)> {
    let mut edges = Vec::new();
    let mut names = Vec::new();
    for function in functions_in(body) {
        let view = body.op(function);
        let Some(name) = view.symbol_name().map(|name| ctx.name(name)) else { continue };
        names.clear();
        add_symbols(view, &mut names);
        for (_, inside) in view.nested().map(levels).unwrap_or_default() {
            inside.walk().into_iter().for_each(|op| add_symbols(inside.op(op), &mut names));
        }
        edges.extend(names.iter().map(|&used| (name, used)));
    }
    edges
}

/// A temporary, or the temporaries of a branch.
#[derive(Clone, Copy)]
enum Content {
    /// By its number.
    Temporary(usize),
    /// By the number of the part.
    Branch(usize),
}

#[derive(Clone, Copy)]
struct Item {
    life: Life,
    content: Content,
}

/// Temporaries of a scope that are placed together.
struct Part {
    scope: usize,
    /// The extent in the program, and the size.
    life: Life,
    /// The number of temporaries.
    count: usize,
    /// The contents with their offsets.
    items: Vec<(Content, u64)>,
}

/// The frames of a function.
#[derive(Default)]
struct Plan {
    parts: Vec<Part>,
    /// The parts that are frames.
    frames: Vec<usize>,
}

impl Plan {
    fn of(positions: &Positions, temporaries: &[Temporary]) -> Plan {
        let mut items: Vec<Vec<Item>> = positions.scopes.iter().map(|_| Vec::new()).collect();
        for (number, (scope, range)) in
            positions.of_pairs(temporaries.iter().map(|it| &it.pair)).into_iter().enumerate()
        {
            let life = Life { start: *range.start(), end: *range.end(), bytes: temporaries[number].bytes };
            items[scope].push(Item { life, content: Content::Temporary(number) });
        }
        let mut plan = Plan::default();
        for scope in (0..positions.scopes.len()).rev() {
            let inside = std::mem::take(&mut items[scope]);
            for part in plan.of_scope(positions, scope, inside) {
                let number = plan.parts.len();
                let item = Item { life: part.life, content: Content::Branch(number) };
                plan.parts.push(part);
                let of = &positions.scopes[scope];
                match of.around.filter(|_| of.recursive.is_empty()) {
                    Some(around) => items[around].push(item),
                    None => plan.separate(item),
                }
            }
        }
        plan.frames.sort_by_key(|&frame| plan.parts[frame].life.start);
        plan
    }

    /// The parts of a scope: one, or one for each sequence of operations without a recursive call.
    fn of_scope(&mut self, positions: &Positions, scope: usize, mut items: Vec<Item>) -> Vec<Part> {
        let calls = &positions.scopes[scope].recursive;
        let before = |item: &Item| calls.partition_point(|call| *call.end() < item.life.start);
        let lives_during =
            |item: &Item| calls.get(before(item)).is_some_and(|call| *call.start() <= item.life.end);
        items.sort_by_key(|item| item.life.start);
        let (apart, items): (Vec<Item>, Vec<Item>) = items.into_iter().partition(lives_during);
        apart.into_iter().for_each(|item| self.separate(item));
        items
            .chunk_by(|one, other| before(one) == before(other))
            .map(|items| self.part(scope, items))
            .collect()
    }

    /// The part with these items, except for branches that would make it much larger.
    fn part(&mut self, scope: usize, items: &[Item]) -> Part {
        let always = items.iter().filter(|item| matches!(item.content, Content::Temporary(_)));
        let always: Vec<Life> = always.map(|item| item.life).collect();
        let limit = place(&always).bytes.max(SMALL_BRANCH);
        let fits = |item: &&Item| matches!(item.content, Content::Temporary(_)) || item.life.bytes <= limit;
        let (items, apart): (Vec<Item>, Vec<Item>) = items.iter().partition(fits);
        apart.into_iter().for_each(|item| self.separate(item));
        let lives: Vec<Life> = items.iter().map(|item| item.life).collect();
        let Places { offsets, bytes } = place(&lives);
        let start = lives.iter().map(|life| life.start).min().unwrap_or_default();
        let end = lives.iter().map(|life| life.end).max().unwrap_or_default();
        let count = items.iter().map(|item| self.count(item.content)).sum();
        let items = items.iter().map(|item| item.content).zip(offsets).collect();
        Part { scope, life: Life { start, end, bytes }, count, items }
    }

    fn count(&self, content: Content) -> usize {
        match content {
            Content::Temporary(_) => 1,
            Content::Branch(part) => self.parts[part].count,
        }
    }

    /// Makes a part a frame, if it has at least two temporaries. A temporary is left as it is.
    fn separate(&mut self, item: Item) {
        if let Content::Branch(part) = item.content
            && self.parts[part].count > 1
        {
            self.frames.push(part);
        }
    }

    /// Creates a frame and replaces its temporaries; returns a remark.
    fn emit(
        &self,
        body: &mut Body,
        positions: &Positions,
        temporaries: &[Temporary],
        frame: &Part,
        buffers: &dyn BufferOps,
    ) -> Option<Diagnostic> {
        let ctx = body.context().clone();
        let [first, last] =
            [frame.life.start, frame.life.end].map(|at| positions.in_block(body, frame.scope, at));
        if body.op(last).has_trait(Traits::TERMINATOR) {
            return None;
        }
        let loc = body.op(positions.ops[frame.life.start]).loc();
        let ty = Type::memref(&ctx, &[i64::try_from(frame.life.bytes).ok()?], Type::integer(&ctx, 8));
        let mut b = Builder::new(body, InsertionPoint::Before(first)).with_loc(loc);
        let storage = buffers.scratch(&mut b, ty, &[], ALIGN);
        buffers.dealloc(&mut Builder::new(body, InsertionPoint::After(last)).with_loc(loc), storage);
        let mut pending = vec![(frame, 0)];
        let mut total = 0;
        while let Some((part, base)) = pending.pop() {
            for &(content, offset) in &part.items {
                match content {
                    Content::Branch(part) => pending.push((&self.parts[part], base + offset)),
                    Content::Temporary(number) => {
                        let Temporary { pair: Pair { alloc, dealloc }, bytes } = temporaries[number];
                        let (ty, loc) = (body.ty(body.op(alloc).result(0)), body.op(alloc).loc());
                        let mut b = Builder::new(body, InsertionPoint::Before(alloc)).with_loc(loc);
                        let view = buffers.view_of_bytes(&mut b, storage, base + offset, ty);
                        body.replace(alloc, &[view]);
                        body.erase(dealloc);
                        total += bytes;
                    }
                }
            }
        }
        let (count, bytes) = (frame.count, frame.life.bytes);
        let message = format!("{count} temporaries of {total} bytes in a frame of {bytes} bytes");
        Some(Diagnostic::remark(message).at(loc.place(&ctx)))
    }
}
