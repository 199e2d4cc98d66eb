//! Lowering of calls of derivatives to requests of the diff dialect.

use super::build::flat;
use super::seeds::{check_structure, floats, has_layout, only_floats, pack, tangent_like, unpacked};
use super::{Lowering, Parts};
use minoan_diff::{Fwd, Rev, Rule, ValueAndFwd, ValueAndRev};
use minoan_func::{Call, Func, Return, Visibility};
use minoan_functional::{Functional, result_type};
use minoan_ir::{Body, Builder, FlatSymbolRef, OpDef, OpRef, SymbolTable, Type, Value};
use minoan_services::packed_symbol;
use std::collections::BTreeSet;

/// The attribute of a function that computes the derivative of another one: its symbol and `"fwd"` or `"rev"`.
pub(crate) const DERIVATIVE_OF: &str = "knossos.derivative_of";

const MESSAGE: &str = "a derivative of tensors of different sizes";

impl<'a> Lowering<'a> {
    pub(super) fn derivative(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let ctx = self.ctx.clone();
        let mut operands: Vec<Value> = op.operands().collect();
        let (Some(seed), Some(callee)) = (operands.pop(), op.attr_value::<FlatSymbolRef>("callee")) else {
            return Parts::new();
        };
        let symbol = callee.as_str(&ctx);
        let Some((_, value_type)) = self.functions.signature(symbol) else { return Parts::new() };
        // The argument of the function: its parameters as one tuple.
        let types: Vec<Type> = operands.iter().map(|&operand| self.source.ty(operand)).collect();
        let arg_type = Type::tuple(&ctx, &types);
        let args = self.all_parts(operands.into_iter());
        let args = pack(b, arg_type, &args);
        let (seed_type, seed) = (self.source.ty(seed), self.parts(seed).to_vec());
        let seed = pack(b, seed_type, &seed);
        let seeds = floats(b, &seed);
        let is_forward = op.attr_value::<String>("mode") == Some("fwd");
        let result = result_type(op);
        let float_types = |ty: Type| -> Vec<Type> {
            flat(&ctx, ty).into_iter().filter(|ty| ty.element_or_self(&ctx).is_float(&ctx)).collect()
        };
        if is_forward {
            check_structure(b, &args, &seed, MESSAGE);
            let tangents = float_types(value_type);
            if only_floats(&ctx, result) {
                let request = Fwd::build(b, &args, &seeds, callee, None, &tangents).op();
                return b.body().op(request).results().collect();
            }
            let values = flat(&ctx, value_type);
            let all = [&values[..], &tangents].concat();
            let request = ValueAndFwd::build(b, &args, &seeds, callee, None, &all).op();
            let all: Vec<Value> = b.body().op(request).results().collect();
            let (values, tangents) = all.split_at(values.len());
            return tangent_like(b, value_type, result, values, &mut tangents.iter().copied());
        }
        let callee = match has_layout(&ctx, value_type) {
            true => {
                self.externs.packed.insert(symbol.to_owned());
                ctx.name(&packed_symbol(symbol))
            }
            false => callee,
        };
        let cotangents = float_types(arg_type);
        let cotangents: Vec<Value> = match has_layout(&ctx, value_type) {
            // The structure of the value is that of its cotangent.
            true => {
                let values = flat(&ctx, value_type);
                let all = [&values[..], &cotangents].concat();
                let request = ValueAndRev::build(b, &args, &seeds, callee, None, &all).op();
                let all: Vec<Value> = b.body().op(request).results().collect();
                let (values, cotangents) = all.split_at(values.len());
                check_structure(b, values, &seed, MESSAGE);
                cotangents.to_vec()
            }
            false => {
                let request = Rev::build(b, &args, &seeds, callee, None, &cotangents).op();
                b.body().op(request).results().collect()
            }
        };
        // The cotangent of a single parameter is that of the argument itself.
        let arg_type = if types.len() == 1 { types[0] } else { arg_type };
        tangent_like(b, arg_type, result, &args, &mut cotangents.into_iter())
    }
}

/// The functions of the source by their symbols.
pub(crate) struct Functions<'a> {
    source: &'a Body,
    symbols: SymbolTable,
}

impl<'a> Functions<'a> {
    pub(super) fn of(source: &'a Body) -> Self {
        Self { source, symbols: SymbolTable::of(source) }
    }

    pub(super) fn source(&self) -> &'a Body {
        self.source
    }

    /// The parameter types and the result type of a function.
    fn signature(&self, symbol: &str) -> Option<(Vec<Type>, Type)> {
        let ctx = self.source.context();
        let func = self.source.op(self.symbols.get(ctx.name(symbol))?);
        let ty = func.attr(ctx.names().function_type)?.as_type(ctx)?;
        let (inputs, results) = ty.as_function(ctx)?;
        Some((inputs.to_vec(), *results.first()?))
    }
}

/// The public functions whose results may have other elements in memory than those of the value. Derivatives of entries are
/// those of the packed results.
pub(super) fn with_layouts(functions: &Functions<'_>) -> BTreeSet<String> {
    let source = functions.source;
    let ctx = source.context();
    let mut symbols = BTreeSet::new();
    for op in source.walk() {
        let view = source.op(op);
        let (Some(_), Some(symbol)) = (crate::Func::cast(source, op), view.symbol_name()) else { continue };
        let visibility = view.attr(ctx.names().sym_visibility).and_then(|attr| attr.as_str(ctx));
        let signature = functions.signature(symbol).filter(|_| visibility != Some("private"));
        if signature.is_some_and(|(_, result)| has_layout(ctx, result)) {
            symbols.insert(symbol.to_owned());
        }
    }
    symbols
}

/// Defines the functions whose results are packed.
pub(super) fn define_packed(b: &mut Builder<'_>, functions: &Functions<'_>, symbols: &BTreeSet<String>) {
    let ctx = b.context();
    for symbol in symbols {
        let Some((inputs, result)) = functions.signature(symbol) else { continue };
        let inputs: Vec<Type> = inputs.into_iter().flat_map(|ty| flat(&ctx, ty)).collect();
        let results = flat(&ctx, result);
        Func::with_body(b, &packed_symbol(symbol), &inputs, &results, Visibility::Private, |b, args| {
            let value = call(b, symbol, args, &results);
            let packed = pack(b, result, &value);
            Return::build(b, &packed);
        });
    }
}

fn call(b: &mut Builder<'_>, symbol: &str, args: &[Value], results: &[Type]) -> Vec<Value> {
    let call = Call::to(b, symbol, args, results);
    b.body().op(call.op()).results().collect()
}

/// Declares the derivatives that functions of the module compute.
pub(super) fn declare_rules(b: &mut Builder<'_>, functions: &Functions<'_>) {
    let (ctx, source) = (b.context(), functions.source);
    for op in source.walk() {
        let view = source.op(op);
        let Some(&[of, mode]) = view.attr_named(DERIVATIVE_OF).and_then(|attr| attr.as_array(&ctx)) else {
            continue;
        };
        let Some(name) = view.symbol_name() else { continue };
        b.set_loc(view.loc());
        let (Some(of), Some(mode)) = (of.as_flat_symbol(&ctx), mode.as_str(&ctx)) else { continue };
        let by = adapter(b, functions, name, of.as_str(&ctx), mode == "fwd");
        Rule::build(b, of, mode, ctx.name(&by));
    }
}

/// The function that takes and returns only floats as tangents: the given one, if it does, or a new one that calls it.
fn adapter(b: &mut Builder<'_>, functions: &Functions<'_>, name: &str, of: &str, is_forward: bool) -> String {
    let ctx = b.context();
    let (Some((inputs, result)), Some((_, value_type))) =
        (functions.signature(name), functions.signature(of))
    else {
        return name.to_owned();
    };
    let pair = match inputs[..] {
        [pair] => pair.as_tuple(&ctx).unwrap_or(&[]).to_vec(),
        _ => inputs.clone(),
    };
    let &[arg, seed] = &pair[..] else { return name.to_owned() };
    let is_simple = only_floats(&ctx, seed) && only_floats(&ctx, result);
    if is_simple && !has_layout(&ctx, arg) && !has_layout(&ctx, value_type) {
        return name.to_owned();
    }
    let only = |ty: Type| flat(&ctx, ty).into_iter().filter(|ty| ty.element_or_self(&ctx).is_float(&ctx));
    let count = flat(&ctx, arg).len();
    let taken: Vec<Type> = flat(&ctx, arg).into_iter().chain(only(seed)).collect();
    let given: Vec<Type> = only(result).collect();
    let symbol = format!("{name}#rule");
    Func::with_body(b, &symbol, &taken, &given, Visibility::Private, |b, all| {
        let (args, seeds) = all.split_at(count);
        let value = call(b, of, args, &flat(&ctx, value_type));
        let (like, like_type) = if is_forward { (args, arg) } else { (&value[..], value_type) };
        let seed = tangent_like(b, like_type, seed, like, &mut seeds.iter().copied());
        let operands: Vec<Value> = args.iter().copied().chain(seed).collect();
        let found = call(b, name, &operands, &flat(&ctx, result));
        let found = pack(b, result, &found);
        let found = floats(b, &found);
        let (like, like_type) = if is_forward { (&value[..], value_type) } else { (args, arg) };
        let found = unpacked(b, like_type, like, &found);
        Return::build(b, &found);
    });
    symbol
}
