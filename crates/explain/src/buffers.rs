//! The lifetimes of buffers: allocation, last use and deallocation, by the lines of the printed module.

use minoan_ir::text::print_type;
use minoan_ir::{Body, Module, Op, Traits, TypeData, Value};
use minoan_services::{DataLayout, EffectSet, EffectsTable, LayoutSpec};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// The buffers of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct FunctionBuffers {
    pub(crate) function: String,
    /// The first and the last line of the function.
    pub(crate) lines: [u32; 2],
    pub(crate) buffers: Vec<Lifetime>,
    /// The maximum of the static sizes of the buffers that are alive on one line, in bytes.
    pub(crate) peak: u64,
}

/// A buffer that the function allocates. Lines are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Lifetime {
    /// The operation that allocates it.
    pub(crate) by: String,
    /// The type.
    #[serde(rename = "type")]
    pub(crate) ty: String,
    /// The size if it is static.
    pub(crate) bytes: Option<u64>,
    /// The line of the allocation.
    pub(crate) alloc: u32,
    /// The line of the last use, through views as well, other than the deallocation.
    pub(crate) last: u32,
    /// The line of the deallocation; none if the buffer is on the stack, or returned.
    pub(crate) free: Option<u32>,
    /// Whether it is on the stack.
    pub(crate) stack: bool,
    /// The number of uses.
    pub(crate) uses: u32,
    /// The number of regions around the allocation: one in a loop is executed more than once.
    pub(crate) depth: u32,
}

/// Whether an operation of a function allocates memory.
pub(crate) fn any(module: &Module) -> bool {
    let (ctx, body) = (module.context(), module.body());
    let effects = EffectsTable::new(ctx);
    let allocates = |inside: &Body| {
        inside.walk().into_iter().any(|op| {
            let own = effects.own(inside.op(op));
            own != EffectSet::UNKNOWN && own.intersects(EffectSet::ALLOCATE)
        })
    };
    body.block(module.block()).ops().filter_map(|op| body.nested(op)).any(allocates)
}

/// The buffers of the functions of a module that allocate any. `lines` has the line of each operation.
pub(crate) fn of_module(module: &Module, lines: &FxHashMap<Op, u32>) -> Vec<FunctionBuffers> {
    let (ctx, body) = (module.context(), module.body());
    let spec = LayoutSpec::of(ctx, module.holder().op(module.op()).attrs());
    let mut found = Vec::new();
    for op in body.block(module.block()).ops() {
        let view = body.op(op);
        let Some(inside) = body.nested(op).filter(|_| view.has_trait(Traits::FUNCTION_LIKE)) else {
            continue;
        };
        let buffers = of_function(inside, &spec, lines);
        if buffers.is_empty() {
            continue;
        }
        let first = lines.get(&op).copied().unwrap_or(0);
        let last = inside.walk().into_iter().filter_map(|op| lines.get(&op)).max();
        let function = view.symbol_name().unwrap_or("").to_owned();
        let lines = [first, last.map_or(first, |last| last + 1)];
        let peak = peak(&buffers, lines[1]);
        found.push(FunctionBuffers { function, lines, buffers, peak });
    }
    found
}

fn of_function(body: &Body, spec: &LayoutSpec, lines: &FxHashMap<Op, u32>) -> Vec<Lifetime> {
    let ctx = body.context();
    let effects = EffectsTable::new(ctx);
    let line = |op: Op| lines.get(&op).copied().unwrap_or(0);
    let mut found = Vec::new();
    for op in body.walk() {
        let view = body.op(op);
        if view.n_results() == 0
            || !effects.own(view).intersects(EffectSet::ALLOCATE)
            || effects.own(view) == EffectSet::UNKNOWN
        {
            continue;
        }
        let value = view.result(0);
        let ty = body.ty(value);
        if !matches!(ty.data(ctx), TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. }) {
            continue;
        }
        let alloc = line(op);
        let mut buffer = Lifetime {
            by: view.name().to_owned(),
            ty: print_type(ctx, ty),
            bytes: <dyn DataLayout>::bytes_of_elements(ctx, ty, spec),
            alloc,
            last: alloc,
            free: None,
            stack: view.has_trait(Traits::ALLOCATES_ON_STACK),
            uses: 0,
            depth: depth(body, op),
        };
        // Uses of views are uses of the buffer.
        let (mut pending, mut seen) = (vec![value], FxHashSet::<Value>::default());
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            for user in body.uses(value).map(|at| at.op) {
                let user_view = body.op(user);
                let own = effects.own(user_view);
                if own != EffectSet::UNKNOWN && own.intersects(EffectSet::FREE) {
                    buffer.free = Some(buffer.free.map_or(line(user), |free| free.max(line(user))));
                    continue;
                }
                buffer.uses += 1;
                buffer.last = buffer.last.max(line(user));
                if own == EffectSet::NONE {
                    let views = user_view.results().filter(|&view| {
                        matches!(
                            body.ty(view).data(ctx),
                            TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. }
                        )
                    });
                    pending.extend(views);
                }
            }
        }
        found.push(buffer);
    }
    found.sort_by_key(|buffer| buffer.alloc);
    found
}

fn depth(body: &Body, op: Op) -> u32 {
    std::iter::successors(body.op(op).parent(), |&around| body.op(around).parent()).count() as u32
}

/// The maximum of the static sizes that are alive at once, by lines.
fn peak(buffers: &[Lifetime], end: u32) -> u64 {
    let mut events: Vec<(u32, i64)> = Vec::new();
    for Lifetime { bytes, alloc, free, .. } in buffers {
        let bytes = bytes.and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or(0);
        events.extend([(*alloc, bytes), (free.unwrap_or(end), -bytes)]);
    }
    events.sort_unstable();
    let mut alive = 0i64;
    let sums = events.into_iter().map(|(_, change)| {
        alive = alive.saturating_add(change);
        alive
    });
    sums.max().and_then(|peak| u64::try_from(peak).ok()).unwrap_or(0)
}
