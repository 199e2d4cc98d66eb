//! `expand-counts`: expands tags, counts, closures and writes to references into operations on memory.
//!
//! * `data.tag` tests whether the value is allocated. If the type has only one constructor with fields, or only one without,
//!   its tag is known from the declaration.
//! * `data.dup` and `data.drop` test and change the count in place; only the last owner calls the runtime.
//! * A closure has *code*: a function that takes the closure itself as its first argument, and forwards the captured values
//!   to the original function.
//! * `data.ref_write` removes the owners of the previous contents.
//! * References that may reach themselves are marked, and the memory of dead objects in programs with such references: a
//!   collector frees objects that own each other, and must not see what dead objects owned.
//! * `data.reset` tests whether its operand has a single owner, and `data.make_in` whether there is memory.

use crate::cyclic::cyclic_references;
use crate::layout::{MAX_SLOTS, MAX_TAG, Slots};
use crate::memory::{
    Capture, Free, HeaderTag, ImmediateTag, IsAllocated, IsUnique, RefStore, Release, Retain,
};
use crate::ops::Project;
use crate::ops::{Closure, Drop, Dup, Make, RefNew, RefRead, RefWrite, Tag};
use crate::reuse::{FreeMemory, HasMemory, MakeAt, MakeIn, MemoryOf, NewMemory, NoMemory, Reset};
use crate::types::{Cell, ClosureType, Memory, is_object};
use crate::{Ctor, Declaration, Match};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Attr, Body, Builder, Context, Module, Name, Op, OpDef, OpRef, SymbolTable, Type, Value};
use minoan_scf::If;
use minoan_services::{ExpandCounts, FunctionMaterializer, IndexOps};
use rustc_hash::{FxHashMap, FxHashSet};

/// Expands the operations of this dialect.
pub(crate) struct ExpandObjects;

impl ExpandCounts for ExpandObjects {
    fn expand_counts(&self, module: &mut Module) -> Result<(), Diagnostics> {
        let ctx = module.context().clone();
        let block = module.block();
        let body = module.body_mut();
        let ops: Vec<Op> = body.block(block).ops().collect();
        let types: FxHashMap<Name, Vec<Ctor>> = ops
            .iter()
            .filter_map(|&op| {
                Some((ctx.name(body.op(op).symbol_name()?), Declaration::ctors_of(body.op(op))?))
            })
            .collect();
        let mut expansion = Expansion {
            cyclic: cyclic_references(&ctx, body, &types),
            ctx: &ctx,
            indices: <dyn IndexOps>::any(&ctx),
            types,
            symbols: SymbolTable::of(body),
            codes: FxHashMap::default(),
            order: Vec::new(),
            errors: Diagnostics::new(),
        };
        expansion.body(body);
        let Expansion { order, errors, .. } = expansion;
        if errors.has_errors() {
            return Err(errors);
        }
        for code in order {
            code.create(&ctx, &mut Builder::at_end(body, block))?;
        }
        Ok(())
    }
}

/// The code of the closures of a function.
struct Code {
    symbol: String,
    function: String,
    closure: Type,
    captures: Vec<Type>,
    loc: minoan_ir::Loc,
}

impl Code {
    /// Creates the function at the insertion point.
    fn create(self, ctx: &Context, b: &mut Builder<'_>) -> Result<(), Diagnostics> {
        let Code { symbol, function, closure, captures, loc } = self;
        b.set_loc(loc);
        let missing = || Diagnostic::error("no loaded dialect creates functions").at(loc.place(ctx));
        let functions = <dyn FunctionMaterializer>::any(ctx).ok_or_else(missing)?;
        let signature = ClosureType::cast(ctx, closure).map(|closure| closure.signature(ctx));
        let (rest, results) = signature.and_then(|ty| ty.as_function(ctx)).unwrap_or((&[], &[]));
        let inputs: Vec<Type> = [closure].into_iter().chain(rest.iter().copied()).collect();
        let declared = functions.declare(b, &symbol, &inputs, results);
        b.region(declared, 0, &inputs, |b, args| {
            let captured: Vec<Value> = (0..captures.len() as i64)
                .map(|index| Capture::build(b, args[0], &captures[..], index).result(b.body()))
                .collect();
            let args: Vec<Value> = captured.into_iter().chain(args[1..].iter().copied()).collect();
            let call = b.create(functions.call(ctx, &function, &args, results));
            let values: Vec<Value> = b.body().op(call).results().collect();
            b.create(functions.return_op(ctx, &values));
        });
        Ok(())
    }
}

struct Expansion<'c> {
    ctx: &'c Context,
    indices: Option<&'c dyn IndexOps>,
    /// The constructors of the declared types.
    types: FxHashMap<Name, Vec<Ctor>>,
    /// The types of references that may reach themselves.
    cyclic: FxHashSet<Type>,
    symbols: SymbolTable,
    /// The symbols of the code of functions.
    codes: FxHashMap<Name, Attr>,
    order: Vec<Code>,
    errors: Diagnostics,
}

impl Expansion<'_> {
    /// Expands the operations of a body and of those nested in it.
    fn body(&mut self, body: &mut Body) {
        for op in body.walk() {
            self.op(body, op);
        }
        for nested in body.nested_bodies_mut() {
            minoan_ir::with_stack(|| self.body(nested));
        }
    }

    fn op(&mut self, body: &mut Body, op: Op) {
        let view = body.op(op);
        let replacement = if view.is::<Tag>() {
            let cell = view.operand(0);
            vec![self.tag(&mut Builder::before(body, op), cell)]
        } else if view.is::<Dup>() {
            let object = view.operand(0);
            self.dup(&mut Builder::before(body, op), object);
            Vec::new()
        } else if view.is::<Drop>() {
            let object = view.operand(0);
            let b = &mut Builder::before(body, op);
            if Memory::cast(self.ctx, b.ty(object)).is_some() {
                drop_memory(b, object)
            } else {
                self.drop(b, object)
            }
            Vec::new()
        } else if let Some(op) = view.cast::<Reset>() {
            vec![self.reset(&mut Builder::before(body, op.op()), op)]
        } else if let Some(op) = view.cast::<MakeIn>() {
            vec![make_in(&mut Builder::before(body, op.op()), op)]
        } else if view.is::<RefWrite>() {
            let operands: Vec<Value> = view.operands().collect();
            self.ref_write(&mut Builder::before(body, op), operands[0], &operands[1..]);
            Vec::new()
        } else {
            if view.is::<Closure>() {
                self.closure(body, op);
            } else if view.is::<RefNew>() {
                if view.result_types().any(|ty| self.cyclic.contains(&ty)) {
                    body.set_attr(op, self.ctx.name("cyclic"), Some(Attr::UNIT));
                }
            } else if view.is::<Make>() {
                self.check_make(view);
            } else if view.is::<Match>() {
                self.refuse(view, "must be expanded to a switch first, by the pass 'expand-math'");
            }
            return;
        };
        body.replace(op, &replacement);
    }

    fn refuse(&mut self, op: OpRef<'_>, why: &str) {
        let message = format!("'{}' op {why}", op.name());
        self.errors.push(Diagnostic::error(message).at(op.loc().place(self.ctx)));
    }

    fn check_make(&mut self, op: OpRef<'_>) {
        let tag = op.attr_named("tag").and_then(|tag| tag.as_i64(self.ctx)).unwrap_or_default();
        let slots = Slots::of_types(self.ctx, &op.operand_types().collect::<Vec<Type>>()).len();
        if slots > MAX_SLOTS {
            self.refuse(op, &format!("has fields in {slots} slots, but an object has at most {MAX_SLOTS}"));
        } else if op.n_operands() > 0 && tag > MAX_TAG {
            self.refuse(op, &format!("has tag {tag}, but that of an object is at most {MAX_TAG}"));
        }
    }

    /// The tags of the constructors of a value's type that have fields, and of the others; none for other objects.
    fn tags(&self, b: &Builder<'_>, object: Value) -> (Vec<i64>, Vec<i64>) {
        let ctx = self.ctx;
        let name = Cell::cast(ctx, b.ty(object)).map(|cell| cell.name(ctx).root(ctx));
        let ctors = name.and_then(|name| self.types.get(&name)).into_iter().flatten().enumerate();
        let (with, without): (Vec<_>, Vec<_>) = ctors.partition(|(_, ctor)| !ctor.fields.is_empty());
        let tags = |ctors: Vec<(usize, &Ctor)>| ctors.into_iter().map(|(tag, _)| tag as i64).collect();
        (tags(with), tags(without))
    }

    /// The tag of a value.
    fn tag(&self, b: &mut Builder<'_>, cell: Value) -> Value {
        let (with, without) = self.tags(b, cell);
        let known = |b: &mut Builder<'_>, tags: &[i64]| match (tags, self.indices) {
            (&[tag], Some(indices)) => Some(indices.index(b, tag)),
            _ => None,
        };
        let header = |b: &mut Builder<'_>| {
            known(b, &with).unwrap_or_else(|| HeaderTag::build(b, cell).result(b.body()))
        };
        let immediate = |b: &mut Builder<'_>| {
            known(b, &without).unwrap_or_else(|| ImmediateTag::build(b, cell).result(b.body()))
        };
        if with.is_empty() && !without.is_empty() {
            return immediate(b);
        }
        if without.is_empty() && !with.is_empty() {
            return header(b);
        }
        let allocated = IsAllocated::build(b, cell).result(b.body());
        let tag = If::with(b, allocated, &[Type::INDEX], |b| vec![header(b)], |b| vec![immediate(b)]);
        b.body().op(OpDef::op(tag)).result(0)
    }

    /// Creates the code of a closure.
    fn closure(&mut self, body: &mut Body, op: Op) {
        let ctx = self.ctx;
        let view = body.op(op);
        let captures: Vec<Type> = view.operand_types().collect();
        let slots = Slots::of_types(ctx, &captures).len();
        if slots >= MAX_SLOTS {
            let most = MAX_SLOTS - 1;
            return self.refuse(
                view,
                &format!("captures values in {slots} slots, but a closure has at most {most}"),
            );
        }
        let function = view.attr_named("function").and_then(|symbol| symbol.as_flat_symbol(ctx));
        let (Some(function), Some(closure)) = (function, view.result_types().next()) else { return };
        let loc = view.loc();
        let code = match self.codes.get(&function) {
            Some(&code) => code,
            None => {
                let symbol = self.symbols.fresh(ctx, &format!("{}$code", function.as_str(ctx)));
                if let Some(taken) = self.symbols.get(function) {
                    self.symbols.insert(symbol, taken);
                }
                let symbol = symbol.as_str(ctx).to_owned();
                let code = Attr::symbol_ref(ctx, &symbol);
                let function_name = function.as_str(ctx).to_owned();
                self.order.push(Code { symbol, function: function_name, closure, captures, loc });
                self.codes.insert(function, code);
                code
            }
        };
        body.set_attr(op, ctx.name("code"), Some(code));
    }
}

/// Creates a value from a reuse token, or in new memory if the token is null.
fn make_in(b: &mut Builder<'_>, make: MakeIn) -> Value {
    let body = b.body();
    let (memory, fields) = (make.memory(body), make.fields(body));
    let (ctor, tag) = (make.ctor(body).to_owned(), make.tag(body));
    let (class, ty) = (body.ty(memory), body.ty(make.result(body)));
    let there = HasMemory::build(b, memory).result(b.body());
    let new = |b: &mut Builder<'_>| vec![NewMemory::build(b, class).memory(b.body())];
    let chosen = If::with(b, there, &[class], |_| vec![memory], new);
    let place = b.body().op(OpDef::op(chosen)).result(0);
    MakeAt::build(b, place, &fields, ctor, tag, ty).result(b.body())
}

fn drop_memory(b: &mut Builder<'_>, memory: Value) {
    let there = HasMemory::build(b, memory).result(b.body());
    let free = |b: &mut Builder<'_>| {
        FreeMemory::build(b, memory);
        Vec::new()
    };
    If::with(b, there, &[], free, |_| Vec::new());
}

/// Counts.
impl Expansion<'_> {
    /// Adds an owner to a value, if it is allocated.
    fn dup(&self, b: &mut Builder<'_>, object: Value) {
        self.when_allocated(b, object, |b| {
            Retain::build(b, object);
        });
    }

    /// Removes an owner of a value, if it is allocated; the last one frees it.
    fn drop(&self, b: &mut Builder<'_>, object: Value) {
        self.when_allocated(b, object, |b| {
            let unique = IsUnique::build(b, object).result(b.body());
            let last = |b: &mut Builder<'_>| {
                Free::build(b, object);
                Vec::new()
            };
            let other = |b: &mut Builder<'_>| {
                Release::build(b, object);
                Vec::new()
            };
            If::with(b, unique, &[], last, other);
        });
    }

    /// Removes an owner of a value of a known constructor; returns its memory if that was the last owner.
    fn reset(&self, b: &mut Builder<'_>, reset: Reset) -> Value {
        let ctx = b.context();
        let body = b.body();
        let (cell, fields, memory) = (reset.cell(body), reset.fields(body), body.ty(reset.memory(body)));
        let (ctor, tag, types) = (reset.ctor(body).to_owned(), reset.tag(body), reset.types(body));
        let (types, kept) = (types.iter().collect::<Vec<Type>>(), reset.kept(body));
        let dropped: Vec<i64> = types
            .iter()
            .zip(0..)
            .filter(|(ty, index)| is_object(&ctx, **ty) && !kept.contains(*index))
            .map(|(_, index)| index)
            .collect();
        let unique = IsUnique::build(b, cell).result(b.body());
        let is_cyclic = !self.cyclic.is_empty();
        let moves = |b: &mut Builder<'_>| {
            for &index in &dropped {
                let field = Project::build(b, cell, ctor.as_str(), tag, &types[..], index).result(b.body());
                self.drop(b, field);
            }
            let made = MemoryOf::build(b, cell, memory);
            made.set_cyclic(b.body_mut(), is_cyclic);
            vec![made.memory(b.body())]
        };
        let copies = |b: &mut Builder<'_>| {
            fields.iter().for_each(|&field| self.dup(b, field));
            Release::build(b, cell);
            vec![NoMemory::build(b, memory).memory(b.body())]
        };
        let chosen = If::with(b, unique, &[memory], moves, copies);
        b.body().op(OpDef::op(chosen)).result(0)
    }

    fn when_allocated(&self, b: &mut Builder<'_>, object: Value, then: impl FnOnce(&mut Builder<'_>)) {
        let (with, without) = self.tags(b, object);
        // By its declaration, the type may never have objects to count.
        if with.is_empty() && !without.is_empty() {
            return;
        }
        let allocated = IsAllocated::build(b, object).result(b.body());
        let then = |b: &mut Builder<'_>| {
            then(b);
            Vec::new()
        };
        If::with(b, allocated, &[], then, |_| Vec::new());
    }

    /// Overwrites the contents of a reference, and removes the owners of the previous ones afterwards.
    fn ref_write(&self, b: &mut Builder<'_>, reference: Value, contents: &[Value]) {
        let ctx = b.context();
        let types: Vec<Type> = contents.iter().map(|&value| b.ty(value)).collect();
        let read = RefRead::build(b, reference, &types);
        let old: Vec<Value> = b.body().op(OpDef::op(read)).results().collect();
        RefStore::build(b, reference, contents);
        for value in old.into_iter().filter(|&value| is_object(&ctx, b.ty(value))).collect::<Vec<_>>() {
            self.drop(b, value);
        }
    }
}
