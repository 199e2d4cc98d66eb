//! Data types, closures and references.
//!
//! Objects contain the components of tuples. A component that is a tensor of rank 0 is stored as a number, any other
//! tensor as a box. Closures take and return values in this form as well, so each function that is used as a value has an entry
//! that converts its arguments and results.

use super::{Lowering, Parts, extract, without_sign};
use minoan_data::{
    Apply, BoxType, Case, Cell, Closure, ClosureType, Coverage, Ctor, Declaration, Fail, Make, MakeBox,
    Nothing, Ref, RefNew, RefRead, RefWrite, Unbox, cases, is_object,
};
use minoan_func::{Call, Func, Return, Visibility};
use minoan_functional::{Functional, flat, one, result_type};
use minoan_ir::{Body, Builder, Context, Module, Op, OpDef, OpRef, Type as IrType, Value};
use minoan_tensor::FromElements;
use rustc_hash::{FxHashMap, FxHashSet};

/// The lowered form of the type of an object: components take the place of tuples.
pub(super) fn object_type(ctx: &Context, ty: IrType) -> IrType {
    if let Some(closure) = ClosureType::cast(ctx, ty) {
        let (inputs, results) = closure.signature(ctx).as_function(ctx).unwrap_or((&[], &[]));
        let signature = IrType::function(ctx, &stored_types(ctx, inputs), &stored_types(ctx, results));
        return ClosureType::get(ctx, signature).into();
    }
    match Ref::cast(ctx, ty) {
        Some(reference) => Ref::get(ctx, stored_types(ctx, &reference.contents(ctx))).into(),
        None => ty,
    }
}

/// The form in which an object contains a component.
fn stored_type(ctx: &Context, ty: IrType) -> IrType {
    match ty.shape(ctx) {
        Some([]) => ty.element(ctx).unwrap_or(ty),
        Some(_) => BoxType::get(ctx, ty).into(),
        None => ty,
    }
}

/// The forms in which an object contains the components of values of these types. The depth of types is bounded.
fn stored_types(ctx: &Context, types: &[IrType]) -> Vec<IrType> {
    let mut components = Vec::new();
    types.iter().for_each(|&ty| Lowering::flatten(ctx, ty, &mut components));
    components.into_iter().map(|ty| stored_type(ctx, ty)).collect()
}

/// Converts a component to the form in which objects contain it.
fn store(b: &mut Builder<'_>, value: Value) -> Value {
    let (ctx, ty) = (b.context(), b.ty(value));
    match ty.shape(&ctx) {
        Some([]) => extract(b, value, &[]),
        Some(_) => MakeBox::build(b, value, stored_type(&ctx, ty)).result(b.body()),
        None => value,
    }
}

/// Converts a stored component to type `ty`.
fn load(b: &mut Builder<'_>, value: Value, ty: IrType) -> Value {
    let ctx = b.context();
    match ty.shape(&ctx) {
        Some([]) => FromElements::build(b, &[value], ty).result(b.body()),
        Some(_) => Unbox::build(b, value, ty).result(b.body()),
        None => value,
    }
}

fn store_all(b: &mut Builder<'_>, values: &[Value]) -> Vec<Value> {
    values.iter().map(|&value| store(b, value)).collect()
}

/// Converts stored components to ones of these types.
fn load_all(b: &mut Builder<'_>, values: &[Value], types: &[IrType]) -> Vec<Value> {
    values.iter().zip(types).map(|(&value, &ty)| load(b, value, ty)).collect()
}

/// A placeholder for an object.
pub(super) fn nothing(b: &mut Builder<'_>, ty: IrType) -> Value {
    Nothing::build(b, ty).result(b.body())
}

/// Lowers a declaration: components take the place of tuples.
pub(super) fn declaration(b: &mut Builder<'_>, op: OpRef<'_>) {
    let ctx = b.context();
    b.set_loc(op.loc());
    let ctors = Declaration::ctors_of(op).unwrap_or_default().into_iter();
    let ctors: Vec<Ctor> =
        ctors.map(|ctor| Ctor { fields: stored_types(&ctx, &ctor.fields), ..ctor }).collect();
    Declaration::declare(b, op.symbol_name().unwrap_or_default(), &ctors);
}

impl<'a> Lowering<'a, '_> {
    /// Lowers an operation of the data dialect, except for a match.
    pub(super) fn data(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Option<Parts> {
        let ctx = self.ctx.clone();
        let operands = |lowering: &Self, from: usize| lowering.all_parts(op.operands().skip(from));
        let results = || match op.n_results() {
            0 => Vec::new(),
            _ => flat::<Self>(&ctx, result_type(op)),
        };
        let body = op.body();
        let value = if let Some(make) = op.cast::<Make>() {
            let fields = store_all(b, &operands(self, 0));
            Make::build(b, &fields, make.ctor(body), make.tag(body), result_type(op)).result(b.body())
        } else if let Some(closure) = op.cast::<Closure>() {
            let callee = closure.function(body).as_str(&ctx);
            let captures = store_all(b, &operands(self, 0));
            let entry = ctx.name(&self.entries.of(callee));
            let ty = object_type(&ctx, result_type(op));
            Closure::build(b, &captures, entry, None, ty).result(b.body())
        } else if op.is::<Apply>() {
            let (callee, args) = (self.single(op.operand(0)), store_all(b, &operands(self, 1)));
            let types = results();
            let stored: Vec<IrType> = types.iter().map(|&ty| stored_type(&ctx, ty)).collect();
            let apply = Apply::build(b, callee, &args, &stored);
            let values: Vec<Value> = b.body().op(apply.op()).results().collect();
            return Some(load_all(b, &values, &types).into());
        } else if op.is::<RefNew>() {
            let contents = store_all(b, &operands(self, 0));
            RefNew::build(b, &contents, object_type(&ctx, result_type(op))).result(b.body())
        } else if op.is::<RefRead>() {
            let types = results();
            let stored: Vec<IrType> = types.iter().map(|&ty| stored_type(&ctx, ty)).collect();
            let read = RefRead::build(b, self.single(op.operand(0)), &stored);
            let values: Vec<Value> = b.body().op(read.op()).results().collect();
            return Some(load_all(b, &values, &types).into());
        } else if op.is::<RefWrite>() {
            let contents = store_all(b, &operands(self, 1));
            RefWrite::build(b, self.single(op.operand(0)), &contents);
            return Some(Parts::new());
        } else if let Some(fail) = op.cast::<Fail>() {
            Fail::build(b, fail.message(body), &[]);
            return Some(results().into_iter().map(|ty| Self::dummy(b, ty)).collect());
        } else {
            return None;
        };
        Some(one(value))
    }

    /// Lowers a match to a switch on the tag.
    pub(super) fn switch(
        &mut self,
        b: &mut Builder<'_>,
        op: OpRef<'a>,
        results: &[IrType],
        fill: &mut dyn FnMut(&mut Self, &mut Builder<'_>, usize) -> Parts,
    ) -> Parts {
        let ctx = self.ctx.clone();
        let source: &'a Body = self.source;
        let cell = self.single(op.operand(0));
        let mut all: Vec<Case> = Vec::new();
        let mut components: Vec<Vec<IrType>> = Vec::new();
        for (at, (name, tag)) in cases(op).into_iter().enumerate() {
            let entry = source.region(op.region(at)).entry();
            let args = entry.into_iter().flat_map(|entry| source.block(entry).args());
            let types: Vec<IrType> = args.map(|arg| source.ty(arg)).collect();
            let mut flat = Vec::new();
            types.iter().for_each(|&ty| Self::flatten(&ctx, ty, &mut flat));
            all.push((name.to_owned(), tag, stored_types(&ctx, &types)));
            components.push(flat);
        }
        let coverage = Coverage::of(all.len(), op.n_regions());
        let values = minoan_data::switch(b, cell, &all, coverage, results, |b, index, fields| {
            if let (Some(types), Some(entry)) =
                (components.get(index), source.region(op.region(index)).entry())
            {
                let fields = load_all(b, fields, types);
                self.bind_flat(entry, &fields);
            }
            fill(self, b, index).into_vec()
        });
        values.into()
    }
}

/// The functions that are values, with the symbols of their entries.
pub(super) struct Entries {
    symbols: FxHashMap<String, String>,
    /// The functions, in order of first use.
    order: Vec<String>,
    taken: FxHashSet<String>,
}

impl Entries {
    /// Entries for the functions of a module.
    pub(super) fn new(module: &Module) -> Self {
        let body = module.body();
        let names = body.block(module.block()).ops().filter_map(|op| body.op(op).symbol_name());
        Self { symbols: FxHashMap::default(), order: Vec::new(), taken: names.map(str::to_owned).collect() }
    }

    /// The symbol of the entry of a function.
    fn of(&mut self, function: &str) -> String {
        if let Some(known) = self.symbols.get(function) {
            return known.clone();
        }
        let mut symbol = format!("{function}$entry");
        while !self.taken.insert(symbol.clone()) {
            symbol.push('$');
        }
        self.symbols.insert(function.to_owned(), symbol.clone());
        self.order.push(function.to_owned());
        symbol
    }

    /// Creates the entries in a lowered module.
    pub(super) fn create(self, module: &mut Module) {
        let ctx = module.context().clone();
        let body = module.body();
        let functions = body.block(module.block()).ops().filter(|&op| body.op(op).is::<Func>());
        let functions: FxHashMap<String, Op> =
            functions.filter_map(|op| Some((body.op(op).symbol_name()?.to_owned(), op))).collect();
        for function in self.order {
            let (Some(&declared), Some(symbol)) = (functions.get(&function), self.symbols.get(&function))
            else {
                continue;
            };
            let body = module.body();
            let loc = body.op(declared).loc();
            let Some((inputs, results)) = minoan_services::function_types(body.op(declared)) else {
                continue;
            };
            let (inputs, results) = (inputs.to_vec(), results.to_vec());
            let stored = |types: &[IrType]| types.iter().map(|&ty| stored_type(&ctx, ty)).collect::<Vec<_>>();
            let (stored_inputs, stored_results) = (stored(&inputs), stored(&results));
            let block = module.block();
            let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
            Func::with_body(
                &mut b,
                symbol,
                &stored_inputs,
                &stored_results,
                Visibility::Private,
                |b, args| {
                    let args = load_all(b, args, &inputs);
                    let call = Call::to(b, &function, &args, &results);
                    let values: Vec<Value> = b.body().op(call.op()).results().collect();
                    let values = store_all(b, &values);
                    Return::build(b, &values);
                },
            );
        }
    }
}

/// The type of a component, without the sign of integers; objects in their lowered form.
pub(super) fn component_type(ctx: &Context, ty: IrType) -> IrType {
    if Cell::cast(ctx, ty).is_none() && is_object(ctx, ty) {
        object_type(ctx, ty)
    } else {
        without_sign(ctx, ty)
    }
}
