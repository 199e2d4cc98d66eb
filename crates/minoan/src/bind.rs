//! Binding of parameters to constants, such as the weights of a model.

use crate::Failure;
use crate::inputs::Inputs;
use crate::interface::{Interface, ValueType, list_params};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_ir::{Body, Builder, InsertionPoint, Module, Name, Op, OpState, SymbolTable, Type};
use minoan_services::{
    ByAttributes, ConstantMaterializer, Datum, FunctionBoundary, GraphBoundary, ShapeCast, Symbols,
};

/// A function with bound parameters.
pub(crate) struct Function<'a> {
    pub(crate) symbol: &'a str,
    pub(crate) interface: &'a mut Interface,
}

/// Replaces the parameters that `values` name by constants, in the functions of a module in the dialect of its language; a
/// parameter of a value is a tensor or number. A constant has the extents of the value; it is cast to the type of the parameter
/// if that has unknown extents. The functions lose the parameters, in their types, in the descriptions of their parameters and
/// in the interfaces.
///
/// # Errors
/// A value of another type than its parameter, or of other known extents; a name that no function has as a parameter; a parameter
/// of a type without constants; a function that the program uses.
pub(crate) fn bind(
    module: &mut Module,
    functions: &mut [Function<'_>],
    values: &Inputs,
) -> Result<(), Failure> {
    let names = values.names();
    let known: Vec<String> = functions.iter().flat_map(|function| function.interface.param_names()).collect();
    let mut errors = Diagnostics::new();
    for name in names.iter().filter(|name| !known.contains(name)) {
        let near = nearest(name, known.iter().map(String::as_str));
        let error = Diagnostic::error(format!("there is no parameter '{name}' to bind"));
        errors.push(error.did_you_mean(near).note(list_params(&known)));
    }
    for Function { symbol, interface } in functions {
        let found = SymbolTable::of(module.body()).get(module.context().name(symbol));
        let Some(op) = found else { continue };
        let wanted: Vec<bool> = interface.param_names().iter().map(|name| names.contains(name)).collect();
        if wanted.contains(&true)
            && let Err(found) = bind_function(module, op, symbol, interface, &wanted, values)
        {
            errors.append(found);
        }
    }
    if errors.has_errors() { Err(errors.into()) } else { Ok(()) }
}

fn bind_function(
    module: &mut Module,
    op: Op,
    symbol: &str,
    interface: &mut Interface,
    wanted: &[bool],
    values: &Inputs,
) -> Result<(), Diagnostics> {
    let ctx = module.context().clone();
    let place = module.body().op(op).loc().place(&ctx);
    if let Some(at) = first_use(module.body(), ctx.name(symbol)) {
        let error = format!("'{symbol}' is used by the program, so its parameters cannot be bound");
        return Err(Diagnostic::error(error).at(at.place(&ctx)).into());
    }
    let kind = module.body().op(op).kind();
    let names = interface.param_names();
    let body = module.body_mut();
    let Some(inside) = body.nested_mut(op) else { return Ok(()) };
    let root = inside.root(0);
    let Some(entry) = inside.region(root).entry() else { return Ok(()) };
    let types: Vec<Type> = inside.block(entry).args().map(|arg| inside.ty(arg)).collect();
    if types.len() != wanted.len() {
        let error = format!("the parameters of '{symbol}' are not tensors, so they cannot be bound");
        return Err(Diagnostic::error(error).at(place).into());
    }
    let mut errors = Vec::new();
    // Each constant is created at the start, so the last one comes first.
    for at in (0..types.len()).rev().filter(|&at| wanted[at]) {
        let name = &names[at];
        let no_constant = || {
            let only = "only numbers and tensors are constants";
            Diagnostic::error(format!("parameter '{name}' cannot be bound: {only}"))
        };
        let constant = || -> Result<(OpState, Type), Diagnostic> {
            let datum = values.value(name, &interface.params[at])?;
            let ty = with_extents(&ctx, types[at], &datum).ok_or_else(no_constant)?;
            let attr = datum.to_attr(&ctx, ty).ok_or_else(no_constant)?;
            let state = <dyn ConstantMaterializer>::constant(&ctx, kind, attr, ty);
            Ok((state.ok_or_else(no_constant)?, ty))
        };
        let (state, ty) = match constant() {
            Ok(constant) => constant,
            Err(error) => {
                errors.push(error.at(place.clone()));
                continue;
            }
        };
        let mut b = Builder::new(inside, InsertionPoint::Start(entry));
        let made = b.create(state);
        let mut value = b.body().op(made).result(0);
        // The type of a parameter may have unknown extents, which `infer-shapes` replaces by those of the constant.
        if ty != types[at] {
            let Some(cast) = <dyn ShapeCast>::in_function(&ctx, kind, value, ty, types[at]) else {
                errors.push(no_constant().at(place.clone()));
                continue;
            };
            b.set_insertion_point(InsertionPoint::After(made));
            let cast = b.create(cast);
            value = b.body().op(cast).result(0);
        }
        let arg = inside.block(entry).arg(at);
        inside.replace_all_uses(arg, value);
    }
    if !errors.is_empty() {
        return Err(errors.into_iter().rev().collect());
    }
    let kept: Vec<bool> = wanted.iter().map(|&bound| !bound).collect();
    let boundary = ctx.service::<dyn GraphBoundary>(kind).unwrap_or(&FunctionBoundary);
    boundary.retain_inputs(body, op, &kept);
    let parameters = interface.params.iter().cloned().zip(names).zip(kept);
    let (params, names): (Vec<ValueType>, Vec<String>) =
        parameters.filter_map(|(parameter, kept)| kept.then_some(parameter)).unzip();
    *interface = Interface::new(params, interface.result.clone(), names);
    Ok(())
}

/// The type with the extents of a tensor.
fn with_extents(ctx: &minoan_ir::Context, ty: Type, datum: &Datum) -> Option<Type> {
    match datum {
        Datum::Tensor(tensor) => {
            let shape: Option<Vec<i64>> =
                tensor.shape.iter().map(|&extent| i64::try_from(extent).ok()).collect();
            ty.shape(ctx)?;
            Some(Type::tensor(ctx, &shape?, ty.element(ctx)?))
        }
        _ => Some(ty),
    }
}

/// The location of the first operation that uses `symbol`.
fn first_use(body: &Body, symbol: Name) -> Option<minoan_ir::Loc> {
    let table = body.context().service_table::<dyn Symbols>();
    let mut names = Vec::new();
    let mut pending = vec![body];
    while let Some(body) = pending.pop() {
        for op in body.walk().into_iter().map(|op| body.op(op)) {
            names.clear();
            table.and_then(|table| table.get(op.kind())).unwrap_or(&ByAttributes).uses(op, &mut names);
            if names.contains(&symbol) {
                return Some(op.loc());
            }
            pending.extend(op.nested());
        }
    }
    None
}
