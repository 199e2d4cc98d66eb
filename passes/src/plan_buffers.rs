//! `plan-buffers`: tensors become buffers with a planned life, in one linear walk over each function.
//!
//! Every tensor is *owned* by the block that made it, or *borrowed*: an argument of the function, a value from
//! around the region, a constant. Operations borrow their operands unless `Ownership` or `AliasModel` says that they
//! take one over. An owned tensor moves into the operation at its last use; anything else that is taken over is
//! copied first. What is still owned after its last use is freed there. So an insertion into a tensor that is not
//! needed again is one store, a loop that carries an array works in place, and nothing is freed twice.
//!
//! * A region that runs just once may take over what the block around it does not need any more: both branches of a
//!   condition update in place.
//! * A view keeps its base alive.
//! * Tensor results of a function belong to the caller; its tensor arguments stay the caller's.
//!
//! The walk needs structured control flow: of blocks that branch to one another, none may use a tensor of another one, nor
//! pass it one. The pass refuses a module where they do.

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

/// Plans buffers for all tensors of a module.
pub struct PlanBuffers;

impl Pass for PlanBuffers {
    fn name(&self) -> &'static str {
        "plan-buffers"
    }

    fn description(&self) -> &'static str {
        "turn tensors into buffers: updates in place at last uses, copies elsewhere, everything freed once"
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
            return Err(Diagnostic::error("no loaded dialect has buffers").into());
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

/// A function type with buffers for tensors.
fn buffer_signature(ctx: &Context, signature: Attr, buffers: &dyn BufferOps) -> Attr {
    let Some((inputs, results)) = signature.as_type(ctx).and_then(|ty| ty.as_function(ctx)) else {
        return signature;
    };
    let convert = |types: &[Type]| -> Vec<Type> {
        types.iter().map(|&ty| buffers.buffer_type(ctx, ty).unwrap_or(ty)).collect()
    };
    Attr::ty(ctx, Type::function(ctx, &convert(inputs), &convert(results)))
}

/// Constant tensors of the module, by contents.
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
    /// The value whose storage a view shows.
    roots: FxHashMap<Value, Value>,
}

/// What a block owns, and when each of it is used last.
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
            let error = Diagnostic::error("only structured control flow can carry tensors into buffers");
            self.errors.push(error.at(loc.unwrap_or_default()));
            return;
        }
        for region in body.regions().collect::<Vec<_>>() {
            for block in body.region(region).blocks().collect::<Vec<_>>() {
                self.block(body, block, &[], false);
            }
        }
    }

    /// An operation of a region where one block gets a tensor from another one that may own it.
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
        // What a region inside of another one takes over it may own; a function's arguments are its caller's.
        let is_inside = body.region(region).parent().is_some();
        let args = entry.into_iter().filter(|_| is_inside);
        let args = args.flat_map(|block| body.block(block).args().map(move |arg| (arg, block)));
        let mut values = args.chain(body.region(region).blocks().flat_map(made));
        values.find_map(|(value, block)| elsewhere(value, block)).map(Some)
    }

    /// Plans a block. It owns `inherited`, and its arguments when `owns_args`.
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

    /// The storage that a value shows.
    fn root(&self, value: Value) -> Value {
        self.roots.get(&value).copied().unwrap_or(value)
    }

    /// From now on the scope owns `value`, until `last`. When nothing uses it, it is freed at `free_at`.
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

    /// Position in the block of the last operation that uses `value` or a view of it, itself or inside.
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

    /// The operands that the operation takes over if none of them is needed again.
    fn taken_together(&self, body: &Body, op: Op) -> Vec<usize> {
        let view = body.op(op);
        let Some(service) = self.ctx.service::<dyn Ownership>(view.kind()) else { return Vec::new() };
        (0..view.n_operands())
            .filter(|&index| self.is_tensor_or_buffer(body.ty(view.operand(index))))
            .filter(|&index| service.operand(view, index) == OperandUse::ConsumeTogether)
            .collect()
    }

    /// Whether the storage of an operand is needed by nobody but this operand of this operation.
    fn dies_in(&self, body: &Body, scope: &Scope, op: Op, index: usize, position: u32) -> bool {
        let root = self.root(body.op(op).operand(index));
        scope.last_use.get(&root) == Some(&position) && !self.is_used_again(body, op, index, root)
    }

    /// Which operands the operation takes over, each by itself.
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
        // Values that die here are freed behind the operation, which may vanish: mark the place first.
        let next = body.op(op).next();
        let block = body.op(op).block();
        let loc = body.op(op).loc();
        // An update gives its result the storage of its operand, with all the uses that this has had: what comes
        // later is asked of the result alone, while it is one.
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

    /// Whether the operation uses the storage of `root` by another operand than `index`, or inside its regions.
    /// Looks at the operation and not at the uses of `root`, which may be as many as there are operations.
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

    /// Puts a copy in the place of an operand that must stay as it is.
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

    /// Plans the regions of an operation.
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
            // What dies with this operation may die, or be updated, inside it instead.
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

    /// Gives the operation its form on buffers; the values that are owned from now on, each with the number of the
    /// result that it was. `taking` says that operands were taken over together.
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
                // What regions that run at once do to a tensor only the operation's own form says.
                let runs = self.ctx.service::<dyn RegionFlow>(kind).map(|service| service.execution(view));
                let known = runs.map_or(self.ctx.service::<dyn Ownership>(kind).is_some(), |runs| {
                    runs != RegionExecution::Parallel
                });
                if !known {
                    self.report(body, op, "has no form on buffers");
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
                // The updated storage may be shown by a view: its root is what is owned.
                Alias::UpdateOf(_) => owned.push((self.root(result), index)),
                Alias::Static => {}
            }
        }
        owned
    }

    /// A constant becomes one of the module's, which nobody owns.
    fn convert_constant(&mut self, body: &mut Body, op: Op) {
        let view = body.op(op);
        let result = view.result(0);
        let contents = view.attr(self.ctx.names().value);
        let ty = self.buffers.buffer_type(&self.ctx, body.ty(result));
        let (Some(contents), Some(ty)) = (contents, ty) else {
            self.report(body, op, "has no form on buffers");
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
