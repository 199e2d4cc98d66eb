//! `plan-buffers`: bufferizes tensors and places deallocations, in one linear traversal of each function.
//!
//! Every tensor is *owned* by the block that created it, or *borrowed*: an argument of the function, a captured
//! value, a constant. Operations borrow their operands unless `Ownership` or `AliasModel` declares that they take
//! ownership. An owned tensor is moved into such an operation at its last use; otherwise it is copied. A tensor that
//! is still owned after its last use is freed there. So an insertion into a dead tensor is a single store, a loop
//! that carries an array updates it in place, and nothing is freed twice.
//!
//! * A region that executes exactly once may take ownership of what the enclosing block does not need any more: both
//!   branches of a conditional update in place.
//! * A view extends the life of its base.
//! * Tensor results of a function belong to the caller; tensor arguments remain owned by the caller.
//!
//! Structured control flow is required: blocks that branch to one another must not use each other's tensors or
//! forward tensors. The pass rejects modules that do.

use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{
    Attr, Block, Body, Builder, Context, InsertionPoint, Name, Op, Region, ServiceId, SymbolTable, Traits,
    Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun};
use minoan_services::{
    Alias, AliasModel, BufferOps, OperandUse, Ownership, RegionExecution, RegionFlow, ToBuffers,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bufferizes all tensors of a module.
pub struct PlanBuffers;

impl Pass for PlanBuffers {
    fn name(&self) -> &'static str {
        "plan-buffers"
    }

    fn description(&self) -> &'static str {
        "bufferize tensors: updates in place at last uses, copies elsewhere, deallocations after last uses"
    }

    fn requires(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn BufferOps>()]
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![
            ServiceId::of::<dyn AliasModel>(),
            ServiceId::of::<dyn Ownership>(),
            ServiceId::of::<dyn RegionFlow>(),
            ServiceId::of::<dyn ToBuffers>(),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let module = run.module_mut();
        let ctx = module.context().clone();
        let dialect = ctx.dialects_with::<dyn BufferOps>().next();
        let Some(buffers) = dialect.and_then(|dialect| dialect.service::<dyn BufferOps>()) else {
            return Err(Diagnostic::error("no loaded dialect implements buffers").into());
        };
        let block = module.block();
        let body = module.body_mut();
        let mut constants = Constants { symbols: SymbolTable::of(body), by_contents: FxHashMap::default() };
        let mut errors = Diagnostics::new();
        let functions: Vec<Op> =
            body.block(block).ops().filter(|&op| body.op(op).has_trait(Traits::FUNCTION_LIKE)).collect();
        for op in functions {
            let signature = body.op(op).attr(ctx.names().function_type);
            if let Some(signature) = signature {
                let signature = buffer_signature(&ctx, signature, buffers);
                body.set_attr(op, ctx.names().function_type, Some(signature));
            }
            let inside = body.nested_mut(op).expect("a function owns its body");
            let mut planner = Planner {
                buffers,
                constants: &mut constants,
                errors: &mut errors,
                ctx: ctx.clone(),
                roots: FxHashMap::default(),
            };
            planner.function(inside);
        }
        let mut b = Builder::new(body, InsertionPoint::Start(block));
        let mut declared: Vec<(Attr, Name)> = constants.by_contents.into_iter().collect();
        declared.sort_by_key(|(_, name)| name.as_str(&ctx).to_owned());
        for (contents, name) in declared {
            buffers.declare_constant(&mut b, name.as_str(&ctx), contents);
        }
        if errors.has_errors() { Err(errors) } else { Ok(()) }
    }
}

/// The function type with tensor types replaced by buffer types.
fn buffer_signature(ctx: &Context, signature: Attr, buffers: &dyn BufferOps) -> Attr {
    let Some((inputs, results)) = signature.as_type(ctx).and_then(|ty| ty.as_function(ctx)) else {
        return signature;
    };
    let convert = |types: &[Type]| -> Vec<Type> {
        types.iter().map(|&ty| buffers.buffer_type(ctx, ty).unwrap_or(ty)).collect()
    };
    Attr::ty(ctx, Type::function(ctx, &convert(inputs), &convert(results)))
}

/// The constant tensors of the module, by contents.
struct Constants {
    symbols: SymbolTable,
    by_contents: FxHashMap<Attr, Name>,
}

impl Constants {
    fn name(&mut self, ctx: &Context, contents: Attr, op: Op) -> Name {
        let Constants { symbols, by_contents } = self;
        *by_contents.entry(contents).or_insert_with(|| {
            let name = symbols.fresh(ctx, "__constant");
            symbols.insert(name, op);
            name
        })
    }
}

struct Planner<'a> {
    buffers: &'a dyn BufferOps,
    constants: &'a mut Constants,
    errors: &'a mut Diagnostics,
    ctx: Context,
    /// The base of each view.
    roots: FxHashMap<Value, Value>,
}

/// The tensors that a block owns, with their last uses.
#[derive(Default)]
struct Scope {
    positions: FxHashMap<Op, u32>,
    last_use: FxHashMap<Value, u32>,
    dies_at: FxHashMap<u32, Vec<Value>>,
}

impl Planner<'_> {
    fn function(&mut self, body: &mut Body) {
        let inner = body.walk().into_iter().flat_map(|op| body.op(op).regions());
        let regions: Vec<Region> = body.regions().chain(inner).collect();
        if let Some(op) = regions.into_iter().find_map(|region| self.tensor_between_blocks(body, region)) {
            let loc = op.map(|op| body.op(op).loc().place(&self.ctx));
            let error = Diagnostic::error("tensors can only be bufferized in structured control flow");
            self.errors.push(error.at(loc.unwrap_or_default()));
            return;
        }
        for region in body.regions().collect::<Vec<_>>() {
            for block in body.region(region).blocks().collect::<Vec<_>>() {
                self.block(body, block, &[], false);
            }
        }
    }

    /// An operation of a region through which one block uses a tensor that another block may own.
    fn tensor_between_blocks(&self, body: &Body, region: Region) -> Option<Option<Op>> {
        let is_tensor = |value: &Value| body.ty(*value).is_tensor(&self.ctx);
        let mut blocks = body.region(region).blocks();
        let entry = blocks.next();
        if let Some(block) = blocks.find(|&block| body.block(block).args().any(|arg| is_tensor(&arg))) {
            return Some(body.block(block).first());
        }
        if body.region(region).blocks().len() < 2 {
            return None;
        }
        let elsewhere = |value: Value, own: Block| {
            let mut users = body.uses(value).map(|user| user.op);
            users.find(|&user| !body.op(user).ancestors().any(|op| op.block() == Some(own)))
        };
        let made = |block: Block| {
            let ops = body.block(block).ops().filter(|&op| !body.op(op).has_trait(Traits::CONSTANT_LIKE));
            ops.flat_map(|op| body.op(op).results()).filter(is_tensor).map(move |value| (value, block))
        };
        // A nested region may own the tensors that it takes; the arguments of a function belong to the caller.
        let is_inside = body.region(region).parent().is_some();
        let args = entry.into_iter().filter(|_| is_inside);
        let args = args.flat_map(|block| body.block(block).args().map(move |arg| (arg, block)));
        let mut values = args.chain(body.region(region).blocks().flat_map(made));
        values.find_map(|(value, block)| elsewhere(value, block)).map(Some)
    }

    /// Bufferizes a block, which owns `inherited`, and its arguments if `owns_args`.
    fn block(&mut self, body: &mut Body, block: Block, inherited: &[Value], owns_args: bool) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            let ops: Vec<Op> = body.block(block).ops().collect();
            let mut scope = Scope {
                positions: ops.iter().enumerate().map(|(at, &op)| (op, at as u32)).collect(),
                ..Scope::default()
            };
            let args: Vec<Value> = body.block(block).args().collect();
            let first = ops.first().copied();
            let mut owned = inherited.to_vec();
            for arg in args {
                let Some(ty) = self.buffers.buffer_type(&self.ctx, body.ty(arg)) else { continue };
                body.set_type(arg, ty);
                if owns_args {
                    owned.push(arg);
                }
            }
            for value in owned {
                let last = self.last_use(body, &scope, value);
                self.own(body, &mut scope, value, last, first.map(InsertionPoint::Before));
            }
            for (position, op) in ops.into_iter().enumerate() {
                self.op(body, &mut scope, op, position as u32);
            }
        });
    }

    /// The base of a value.
    fn root(&self, value: Value) -> Value {
        self.roots.get(&value).copied().unwrap_or(value)
    }

    /// Adds `value` to the owned tensors until its last use at `last`. Without uses, it is freed at `free_at`.
    fn own(
        &mut self,
        body: &mut Body,
        scope: &mut Scope,
        value: Value,
        last: Option<u32>,
        free_at: Option<InsertionPoint>,
    ) {
        match last {
            Some(position) => {
                scope.last_use.insert(value, position);
                scope.dies_at.entry(position).or_default().push(value);
            }
            None => {
                if let Some(point) = free_at {
                    let mut b = Builder::new(body, point);
                    if let InsertionPoint::Before(op) | InsertionPoint::After(op) = point {
                        let loc = b.body().op(op).loc();
                        b.set_loc(loc);
                    }
                    self.buffers.dealloc(&mut b, value);
                }
            }
        }
    }

    /// The position in the block of the last operation that uses `value` or a view of it, directly or in a nested
    /// operation.
    fn last_use(&self, body: &Body, scope: &Scope, value: Value) -> Option<u32> {
        let mut last = None;
        let mut pending = vec![value];
        let mut seen = FxHashSet::default();
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            for user in body.uses(value) {
                let around =
                    body.op(user.op).ancestors().find_map(|op| scope.positions.get(&op.id()).copied());
                last = last.max(around);
                let view = body.op(user.op);
                for (index, result) in view.results().enumerate() {
                    if self.alias(body, user.op, index) == Alias::ViewOf(user.index)
                        || self.root(result) == value
                    {
                        pending.push(result);
                    }
                }
            }
        }
        last
    }

    fn alias(&self, body: &Body, op: Op, result: usize) -> Alias {
        let view = body.op(op);
        let answer = self.ctx.service::<dyn AliasModel>(view.kind());
        answer.map_or(Alias::Fresh, |service| service.alias(view, result))
    }

    fn is_tensor_or_buffer(&self, ty: Type) -> bool {
        ty.is_tensor(&self.ctx) || ty.is_memref(&self.ctx)
    }

    /// The operands whose ownership the operation takes if this is the last use of all of them.
    fn taken_together(&self, body: &Body, op: Op) -> Vec<usize> {
        let view = body.op(op);
        let Some(service) = self.ctx.service::<dyn Ownership>(view.kind()) else { return Vec::new() };
        (0..view.n_operands())
            .filter(|&index| self.is_tensor_or_buffer(body.ty(view.operand(index))))
            .filter(|&index| service.operand(view, index) == OperandUse::ConsumeTogether)
            .collect()
    }

    /// Whether this operand of this operation is the last use of its storage.
    fn dies_in(&self, body: &Body, scope: &Scope, op: Op, index: usize, position: u32) -> bool {
        let root = self.root(body.op(op).operand(index));
        scope.last_use.get(&root) == Some(&position) && !self.is_used_again(body, op, index, root)
    }

    /// The operands whose ownership the operation takes individually.
    fn consumed(&self, body: &Body, op: Op) -> Vec<usize> {
        let view = body.op(op);
        let ownership = self.ctx.service::<dyn Ownership>(view.kind());
        let updated: Vec<usize> = (0..view.n_results())
            .filter_map(|result| match self.alias(body, op, result) {
                Alias::UpdateOf(operand) => Some(operand),
                _ => None,
            })
            .collect();
        (0..view.n_operands())
            .filter(|&index| self.is_tensor_or_buffer(body.ty(view.operand(index))))
            .filter(|&index| {
                updated.contains(&index)
                    || ownership.is_some_and(|service| service.operand(view, index) == OperandUse::Consume)
            })
            .collect()
    }

    fn op(&mut self, body: &mut Body, scope: &mut Scope, op: Op, position: u32) {
        let mut moved: FxHashSet<Value> = FxHashSet::default();
        for index in self.consumed(body, op) {
            let value = body.op(op).operand(index);
            let root = self.root(value);
            if !moved.contains(&root) && self.dies_in(body, scope, op, index, position) {
                moved.insert(root);
            } else {
                self.copy_operand(body, op, index);
            }
        }
        let together = self.taken_together(body, op);
        let taking = !together.is_empty()
            && together.iter().all(|&index| self.dies_in(body, scope, op, index, position));
        if taking {
            moved.extend(together.into_iter().map(|index| self.root(body.op(op).operand(index))));
        }
        self.regions(body, scope, op, position, &mut moved);
        let after = InsertionPoint::After(op);
        let is_terminator = body.op(op).has_trait(Traits::TERMINATOR);
        // Values whose last use is here are freed after the operation, which may be erased: mark the position first.
        let next = body.op(op).next();
        let block = body.op(op).block();
        let loc = body.op(op).loc();
        // A result that updates its operand inherits the storage and all its uses: later queries are about the result
        // only, while it is one.
        let last_uses: Vec<Option<u32>> =
            body.op(op).results().map(|result| self.last_use(body, scope, result)).collect();
        let results = self.convert(body, op, taking);
        let point = match (is_terminator, next, block) {
            (true, ..) => InsertionPoint::Before(op),
            (_, Some(next), _) => InsertionPoint::Before(next),
            (_, None, Some(block)) => InsertionPoint::End(block),
            (_, None, None) => after,
        };
        for value in scope.dies_at.remove(&position).unwrap_or_default() {
            if !moved.contains(&value) && scope.last_use.get(&value) == Some(&position) {
                let mut b = Builder::new(body, point).with_loc(loc);
                self.buffers.dealloc(&mut b, value);
            }
            if scope.last_use.get(&value) == Some(&position) {
                scope.last_use.remove(&value);
            }
        }
        for (value, result) in results {
            self.own(body, scope, value, last_uses[result], Some(point));
        }
    }

    /// Whether the operation uses the storage of `root` by another operand than `index`, or in its regions. Examines
    /// the operation and not the uses of `root`, of which there may be very many.
    fn is_used_again(&self, body: &Body, op: Op, index: usize, root: Value) -> bool {
        let view = body.op(op);
        let others = view.operands().enumerate().filter(|&(at, _)| at != index);
        if others.into_iter().any(|(_, operand)| self.root(operand) == root) {
            return true;
        }
        let mut pending: Vec<_> = view.regions().collect();
        while let Some(region) = pending.pop() {
            let blocks = body.region(region).blocks();
            for inner in blocks.flat_map(|block| body.block(block).ops()).map(|inner| body.op(inner)) {
                if inner.operands().any(|operand| self.root(operand) == root) {
                    return true;
                }
                pending.extend(inner.regions());
            }
        }
        false
    }

    /// Replaces an operand that must be preserved by a copy.
    fn copy_operand(&mut self, body: &mut Body, op: Op, index: usize) {
        let view = body.op(op);
        let aliases = self.ctx.service::<dyn AliasModel>(view.kind());
        let reads = aliases.is_none_or(|service| service.reads_updated(view, index));
        let value = view.operand(index);
        let ty = body.ty(value);
        let mut b = Builder::before(body, op);
        let copy = self.buffers.alloc_like(&mut b, ty, value);
        if reads {
            self.buffers.copy(&mut b, value, copy);
        }
        body.set_operand(op, index, copy);
    }

    /// Bufferizes the regions of an operation.
    fn regions(
        &mut self,
        body: &mut Body,
        scope: &mut Scope,
        op: Op,
        position: u32,
        moved: &mut FxHashSet<Value>,
    ) {
        let view = body.op(op);
        let regions: Vec<_> = view.regions().collect();
        if regions.is_empty() {
            return;
        }
        let runs = self.ctx.service::<dyn RegionFlow>(view.kind()).map(|service| service.execution(view));
        let entries: Vec<Option<Block>> = regions.iter().map(|&region| body.region(region).entry()).collect();
        let mut inherited = Vec::new();
        if runs == Some(RegionExecution::ExactlyOne) && entries.iter().all(Option::is_some) {
            // A tensor whose last use is this operation may be freed or updated inside it.
            for &value in scope.dies_at.get(&position).map_or(&[][..], Vec::as_slice) {
                let direct = body.op(op).operands().any(|operand| self.root(operand) == value);
                if scope.last_use.get(&value) == Some(&position) && !direct && moved.insert(value) {
                    inherited.push(value);
                }
            }
        }
        for region in regions {
            for block in body.region(region).blocks().collect::<Vec<_>>() {
                self.block(body, block, &inherited, true);
            }
        }
    }

    /// Bufferizes an operation; returns the newly owned values with their result indices. `taking` is whether
    /// ownership of operands was taken together.
    fn convert(&mut self, body: &mut Body, op: Op, taking: bool) -> Vec<(Value, usize)> {
        let view = body.op(op);
        let touches = view.operand_types().chain(view.result_types()).any(|ty| self.is_tensor_or_buffer(ty));
        if !touches {
            return Vec::new();
        }
        let kind = view.kind();
        let aliases: Vec<Alias> = (0..view.n_results()).map(|index| self.alias(body, op, index)).collect();
        let is_array: Vec<bool> = view.result_types().map(|ty| self.is_tensor_or_buffer(ty)).collect();
        if view.has_trait(Traits::CONSTANT_LIKE) {
            self.convert_constant(body, op);
            return Vec::new();
        }
        let operands: Vec<Value> = view.operands().collect();
        let results = match self.ctx.service::<dyn ToBuffers>(kind) {
            Some(service) => {
                let mut b = Builder::before(body, op);
                let made = match taking {
                    true => service.to_buffers_taking(&mut b, op, self.buffers),
                    false => service.to_buffers(&mut b, op, self.buffers),
                };
                match made {
                    Ok(results) => {
                        body.replace(op, &results);
                        results
                    }
                    Err(message) => {
                        self.report(body, op, &message);
                        return Vec::new();
                    }
                }
            }
            None => {
                // For regions that execute in parallel, only the operation's own bufferization knows how they use a
                // tensor.
                let runs = self.ctx.service::<dyn RegionFlow>(kind).map(|service| service.execution(view));
                let known = runs.map_or(self.ctx.service::<dyn Ownership>(kind).is_some(), |runs| {
                    runs != RegionExecution::Parallel
                });
                if !known {
                    self.report(body, op, "has no bufferization");
                    return Vec::new();
                }
                let results: Vec<Value> = body.op(op).results().collect();
                for &result in &results {
                    if let Some(ty) = self.buffers.buffer_type(&self.ctx, body.ty(result)) {
                        body.set_type(result, ty);
                    }
                }
                results
            }
        };
        let mut owned = Vec::new();
        for (index, (&result, alias)) in results.iter().zip(aliases).enumerate() {
            let is_array = is_array[index];
            match alias {
                _ if !is_array => {}
                Alias::ViewOf(operand) => {
                    let root = self.root(operands[operand]);
                    if result != root {
                        self.roots.insert(result, root);
                    }
                }
                Alias::Fresh => owned.push((result, index)),
                // The updated storage may be that of a view, whose base is owned.
                Alias::UpdateOf(_) => owned.push((self.root(result), index)),
                Alias::Static => {}
            }
        }
        owned
    }

    /// Converts a constant to a global, which is never freed.
    fn convert_constant(&mut self, body: &mut Body, op: Op) {
        let view = body.op(op);
        let result = view.result(0);
        let contents = view.attr(self.ctx.names().value);
        let ty = self.buffers.buffer_type(&self.ctx, body.ty(result));
        let (Some(contents), Some(ty)) = (contents, ty) else {
            self.report(body, op, "has no bufferization");
            return;
        };
        let name = self.constants.name(&self.ctx, contents, op);
        let mut b = Builder::before(body, op);
        let buffer = self.buffers.constant(&mut b, name.as_str(&self.ctx), ty);
        body.replace(op, &[buffer]);
    }

    fn report(&mut self, body: &Body, op: Op, message: &str) {
        let view = body.op(op);
        self.errors.push(
            Diagnostic::error(format!("'{}' op {message}", view.name())).at(view.loc().place(&self.ctx)),
        );
    }
}
