//! Closures as data types.
//!
//! A closure type becomes a data type with a constructor for each function from which the module creates closures of this type,
//! whose fields are the captured values. `data.apply` becomes a call of a function that selects by the constructor. So all
//! analyses of data types apply to closures. Closures that a module receives from outside have no constructor.

use crate::ops::{Apply, Closure, Fail};
use crate::types::{Cell, ClosureType, Ref};
use crate::{Case, Coverage, Ctor, Declaration, Make, Match, switch};
use minoan_ir::text::print_type;
use minoan_ir::{
    Attr, Body, Builder, Context, FlatSymbolRef, InsertionPoint, Name, Op, OpDef, SymbolRef, SymbolTable,
    Type, Value,
};
use minoan_services::FunctionMaterializer;
use rustc_hash::FxHashMap;

/// The form of selection by constructor in the functions that apply closures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// By `data.match`, which functions of front ends may contain.
    Match,
    /// By a switch on the tag, as the derivatives of data types do.
    Switch,
}

/// Replaces the closures of a module by values of data types.
pub(crate) fn defunctionalize(module: &mut Body, selection: Selection) {
    let ctx = module.context().clone();
    let Some(block) = module.region(module.root(0)).entry() else { return };
    // Functions of the same operation kind as those that create closures.
    let ops = module.block(block).ops().map(|op| module.op(op));
    let own = ops.filter(|op| {
        op.nested().is_some_and(|inside| inside.walk().into_iter().any(|op| inside.op(op).is::<Closure>()))
    });
    let own = own.filter_map(|op| ctx.service::<dyn FunctionMaterializer>(op.kind())).next();
    let Some(functions) = own.or_else(|| <dyn FunctionMaterializer>::any(&ctx)) else { return };
    let mut closures = Closures {
        ctx: &ctx,
        functions,
        selection,
        symbols: SymbolTable::of(module),
        kinds: FxHashMap::default(),
        order: Vec::new(),
    };
    closures.collect(module);
    if closures.order.is_empty() {
        return;
    }
    closures.rewrite(module);
    let mut declared = 0;
    // The signature of a closure may have further closure types.
    while declared < closures.order.len() {
        let ty = closures.order[declared];
        closures.declare(&mut Builder::new(module, InsertionPoint::End(block)), ty);
        declared += 1;
    }
}

/// The representation chosen for a type of closures.
struct Kind {
    cell: Type,
    apply: Name,
    cases: Vec<Case>,
}

struct Closures<'c> {
    ctx: &'c Context,
    functions: &'c dyn FunctionMaterializer,
    selection: Selection,
    symbols: SymbolTable,
    kinds: FxHashMap<Type, Kind>,
    order: Vec<Type>,
}

impl Closures<'_> {
    /// The data type of a type of closures.
    fn kind(&mut self, ty: Type) -> &mut Kind {
        let ctx = self.ctx;
        let (symbols, order) = (&self.symbols, &mut self.order);
        self.kinds.entry(ty).or_insert_with(|| {
            order.push(ty);
            let text = print_type(ctx, ty);
            let text = text.trim_start_matches("!data.");
            let symbol = symbols.fresh(ctx, text);
            let cell = Cell::get(ctx, SymbolRef::flat(ctx, symbol.as_str(ctx))).into();
            Kind { cell, apply: symbols.fresh(ctx, &format!("{text}.apply")), cases: Vec::new() }
        })
    }

    /// Adds the types of the closures that a body and those nested in it create, and their constructors.
    fn collect(&mut self, body: &Body) {
        for op in body.walk() {
            let view = body.op(op);
            if let Some(nested) = view.nested() {
                minoan_ir::with_stack(|| self.collect(nested));
            }
            if !view.is::<Closure>() {
                continue;
            }
            let captures: Vec<Type> = view.operand_types().collect();
            let captures: Vec<Type> = captures.into_iter().map(|ty| self.converted(ty)).collect();
            let ty = body.ty(view.result(0));
            let name = view.attr_named("function").and_then(|symbol| symbol.as_flat_symbol(self.ctx));
            let Some(name) = name.map(|name| name.as_str(self.ctx).to_owned()) else { continue };
            let cases = &mut self.kind(ty).cases;
            if cases.iter().all(|(other, ..)| *other != name) {
                cases.push((name, cases.len() as i64, captures));
            }
        }
    }

    fn converted(&mut self, ty: Type) -> Type {
        let ctx = self.ctx;
        if ClosureType::cast(ctx, ty).is_some() {
            return self.kind(ty).cell;
        }
        if let Some(reference) = Ref::cast(ctx, ty) {
            let contents = reference.contents(ctx).to_vec();
            return Ref::get(ctx, self.all_converted(&contents)).into();
        }
        if let Some((inputs, results)) = ty.as_function(ctx) {
            let [inputs, results] =
                [inputs.to_vec(), results.to_vec()].map(|types| self.all_converted(&types));
            return Type::function(ctx, &inputs, &results);
        }
        match ty.as_tuple(ctx) {
            Some(parts) => Type::tuple(ctx, &self.all_converted(parts)),
            None => ty,
        }
    }

    fn all_converted(&mut self, types: &[Type]) -> Vec<Type> {
        types.iter().map(|&ty| self.converted(ty)).collect()
    }

    /// An attribute with the types in it converted.
    fn converted_attr(&mut self, attr: Attr) -> Attr {
        let ctx = self.ctx;
        if let Some(ty) = attr.as_type(ctx) {
            return Attr::ty(ctx, self.converted(ty));
        }
        if let Some(elements) = attr.as_array(ctx) {
            let elements: Vec<Attr> = elements.iter().map(|&element| self.converted_attr(element)).collect();
            return Attr::array(ctx, &elements);
        }
        if let Some(entries) = attr.as_dictionary(ctx) {
            let entries: Vec<(Name, Attr)> =
                entries.iter().map(|&(name, attr)| (name, self.converted_attr(attr))).collect();
            return Attr::dictionary(ctx, &entries);
        }
        attr
    }

    /// Converts the types in a body and those nested in it, and rewrites the operations on closures.
    fn rewrite(&mut self, body: &mut Body) {
        for op in body.walk() {
            let view = body.op(op);
            if view.is::<Closure>() {
                self.create(body, op);
                continue;
            }
            if view.is::<Apply>() {
                self.apply(body, op);
                continue;
            }
            let props = view.props();
            let blocks: Vec<_> = view.own_regions().flat_map(|region| body.region(region).blocks()).collect();
            let results: Vec<Value> = view.results().collect();
            let args = blocks.into_iter().flat_map(|block| body.block(block).args().collect::<Vec<Value>>());
            let values: Vec<Value> = results.into_iter().chain(args).collect();
            for value in values {
                let (old, new) = (body.ty(value), self.converted(body.ty(value)));
                if old != new {
                    body.set_type(value, new);
                }
            }
            let new = self.converted_attr(props);
            if new != props {
                body.set_props(op, new);
            }
        }
        for region in body.regions().collect::<Vec<_>>() {
            let blocks: Vec<_> = body.region(region).blocks().collect();
            let args = blocks.into_iter().flat_map(|block| body.block(block).args().collect::<Vec<Value>>());
            for value in args.collect::<Vec<Value>>() {
                let ty = self.converted(body.ty(value));
                body.set_type(value, ty);
            }
        }
        for nested in body.nested_bodies_mut() {
            minoan_ir::with_stack(|| self.rewrite(nested));
        }
    }

    /// Replaces the creation of a closure.
    fn create(&mut self, body: &mut Body, op: Op) {
        let ctx = self.ctx;
        let view = body.op(op);
        let (loc, ty, captures): (_, _, Vec<Value>) =
            (view.loc(), body.ty(view.result(0)), view.operands().collect());
        let name = view.attr_value::<FlatSymbolRef>("function");
        let name = name.map_or("", |name| name.as_str(ctx));
        let kind = self.kind(ty);
        let Some((name, tag, _)) = kind.cases.iter().find(|(other, ..)| other == name) else { return };
        let (name, tag) = (name.clone(), *tag);
        let cell = kind.cell;
        let mut b = Builder::before(body, op).with_loc(loc);
        let made = Make::build(&mut b, &captures, name, tag, cell).result(b.body());
        body.replace(op, &[made]);
    }

    /// Replaces the application of a closure, whose type may be converted already.
    fn apply(&mut self, body: &mut Body, op: Op) {
        let view = body.op(op);
        let (loc, operands): (_, Vec<Value>) = (view.loc(), view.operands().collect());
        let results: Vec<Type> = view.result_types().collect();
        let ty = body.ty(operands[0]);
        let apply = match ClosureType::cast(self.ctx, ty) {
            Some(_) => self.kind(ty).apply,
            None => match self.kinds.values().find(|kind| kind.cell == ty) {
                Some(kind) => kind.apply,
                None => return,
            },
        };
        let results = self.all_converted(&results);
        let mut b = Builder::before(body, op).with_loc(loc);
        let call = self.functions.call(self.ctx, apply.as_str(self.ctx), &operands, &results);
        let call = b.create(call);
        let values: Vec<Value> = body.op(call).results().collect();
        body.replace(op, &values);
    }

    /// Declares the data type of a type of closures, and the function that applies them.
    fn declare(&mut self, b: &mut Builder<'_>, ty: Type) {
        let ctx = self.ctx;
        let signature = ClosureType::cast(ctx, ty).map(|closure| closure.signature(ctx));
        let (inputs, results) = signature.and_then(|ty| ty.as_function(ctx)).unwrap_or((&[], &[]));
        let (inputs, results) = (inputs.to_vec(), results.to_vec());
        let [inputs, results] = [inputs, results].map(|types| self.all_converted(&types));
        let Kind { cell, apply, cases } = self.kind(ty);
        let (cell, apply, mut cases) = (*cell, *apply, cases.clone());
        let is_known = !cases.is_empty();
        if !is_known {
            cases.push(("None".to_owned(), 0, Vec::new()));
        }
        let ctors: Vec<Ctor> = cases
            .iter()
            .map(|(name, _, fields)| Ctor { name: name.clone(), fields: fields.clone() })
            .collect();
        let symbol = Cell::cast(ctx, cell).map(|cell| cell.name(ctx).root(ctx));
        let symbol = symbol.map_or_else(String::new, |name| name.as_str(ctx).to_owned());
        Declaration::declare(b, &symbol, &ctors);
        let inputs: Vec<Type> = [cell].into_iter().chain(inputs).collect();
        let function = self.functions.declare(b, apply.as_str(ctx), &inputs, &results);
        b.region(function, 0, &inputs, |b, args| {
            let fill = |b: &mut Builder<'_>, at: usize, fields: &[Value]| {
                if !is_known {
                    let message = "the closure is not of this module";
                    let fail = Fail::build(b, message, &results).op();
                    return b.body().op(fail).results().collect();
                }
                let operands: Vec<Value> = fields.iter().chain(&args[1..]).copied().collect();
                let call = b.create(self.functions.call(ctx, &cases[at].0, &operands, &results));
                b.body().op(call).results().collect()
            };
            let values = match self.selection {
                Selection::Switch => switch(b, args[0], &cases, Coverage::Exhaustive, &results, fill),
                Selection::Match => {
                    let fill = |b: &mut Builder<'_>, at: usize, fields: &[Value]| Some(fill(b, at, fields));
                    Match::with(b, args[0], &cases, Coverage::Exhaustive, &results, fill).unwrap_or_default()
                }
            };
            b.create(self.functions.return_op(ctx, &values));
        });
    }
}
