//! `materialize-signatures`: attaches signatures to public functions.
//!
//! A public function with a body gets the attributes `abi`, `abiv`, `sip`, `f` and `fv`. The raw signature `f` is
//! determined by the service [`RawAbi`] of the types. The structured signature `sip` is determined by the index paths
//! of arguments and results, the attribute `minoan.index_path` of each, which is removed; without index paths,
//! arguments form a sequence, a single result stands alone and several results form a sequence. A function that
//! already has signatures keeps them if they match its type.

use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Attr, Context, Module, Name, Op, OpRef, ServiceId, Traits, Type};
use minoan_pass::{Anchor, Pass, PassRun};
use minoan_services::{
    FunctionSignature, INDEX_PATH, RawAbi, Symbols, Visibility, function_types, index_path,
};
use minoan_sip::{Key, RawSignature, RawType, SipSignature, Structure};

/// Attaches the signatures of public functions.
pub struct MaterializeSignatures;

impl Pass for MaterializeSignatures {
    fn name(&self) -> &'static str {
        "materialize-signatures"
    }

    fn description(&self) -> &'static str {
        "write the raw and structured signatures of public functions as attributes"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn RawAbi>(), ServiceId::of::<dyn Symbols>()]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        for warning in materialize_signatures(run.module_mut())? {
            run.emit(warning);
        }
        Ok(())
    }
}

/// Attaches the signatures of a module's public functions; returns warnings about types without a representation in
/// the raw ABI.
///
/// # Errors
/// Index paths that are not arrays of integers and strings, are incomplete, or conflict; existing signatures that do
/// not match.
pub fn materialize_signatures(module: &mut Module) -> Result<Diagnostics, Diagnostics> {
    let ctx = module.context().clone();
    let body = module.body();
    let (mut warnings, mut errors) = (Diagnostics::new(), Diagnostics::new());
    let mut signatures: Vec<(Op, FunctionSignature)> = Vec::new();
    for op in body.block(module.block()).ops().filter(|&op| is_public_function(body.op(op))) {
        let function = body.op(op);
        match FunctionSignature::read(function) {
            Ok(Some(_)) => {}
            Ok(None) => match signature(function, &mut warnings) {
                Ok(signature) => signatures.push((op, signature)),
                Err(message) => errors.push(Diagnostic::error(message).at(function.loc().place(&ctx))),
            },
            Err(message) => errors.push(Diagnostic::error(message).at(function.loc().place(&ctx))),
        }
    }
    if errors.has_errors() {
        return Err(errors);
    }
    let names = [ctx.names().arg_attrs, ctx.names().res_attrs];
    let body = module.body_mut();
    for (op, signature) in signatures {
        for (name, value) in signature.attributes(&ctx) {
            body.set_attr(op, ctx.name(name), Some(value));
        }
        for name in names {
            if let Some(attrs) = body.op(op).attr(name) {
                let rest = without_index_paths(&ctx, attrs);
                body.set_attr(op, name, rest);
            }
        }
    }
    Ok(warnings)
}

/// Whether an operation is a public function with a body.
fn is_public_function(op: OpRef<'_>) -> bool {
    let public = <dyn Symbols>::of(op).visibility(op) == Visibility::Public;
    let defined = op.nested().is_some_and(|inside| inside.region(inside.root(0)).entry().is_some());
    op.has_trait(Traits::FUNCTION_LIKE) && public && defined
}

fn signature(function: OpRef<'_>, warnings: &mut Diagnostics) -> Result<FunctionSignature, String> {
    let ctx = function.context();
    let (inputs, results) = function_types(function).unwrap_or_default();
    let name = function.symbol_name().unwrap_or_default();
    let mut raw_types = |types: &[Type], what: &str| -> Vec<RawType> {
        let mut row = Vec::with_capacity(types.len());
        for (index, &ty) in types.iter().enumerate() {
            let raw = raw_type(ctx, ty);
            if raw == RawType::Unrecognized {
                let message = format!(
                    "{what} #{index} of function {name} is not a recognized public ABI type and the function may not be invokable by standard tools"
                );
                warnings.push(Diagnostic::warning(message).at(function.loc().place(ctx)));
            }
            row.push(raw);
        }
        row
    };
    let raw = RawSignature { inputs: raw_types(inputs, "Argument"), results: raw_types(results, "Result") };
    let count = |types: &[Type]| u32::try_from(types.len()).unwrap_or(u32::MAX);
    let default = SipSignature::positional(count(inputs), count(results));
    let names = ctx.names();
    let sip = SipSignature {
        inputs: structure(function, names.arg_attrs, inputs.len(), "argument")?.unwrap_or(default.inputs),
        results: structure(function, names.res_attrs, results.len(), "result")?.unwrap_or(default.results),
    };
    Ok(FunctionSignature { raw, sip })
}

fn raw_type(ctx: &Context, ty: Type) -> RawType {
    ctx.dialects_with::<dyn RawAbi>()
        .filter_map(|dialect| dialect.service::<dyn RawAbi>())
        .find_map(|service| service.raw_type(ctx, ty))
        .unwrap_or(RawType::Unrecognized)
}

/// The structure given by the index paths of all arguments or all results; `None` if there are none.
fn structure(
    function: OpRef<'_>,
    attrs: Name,
    count: usize,
    what: &str,
) -> Result<Option<Structure>, String> {
    let ctx = function.context();
    let path_name = ctx.name(INDEX_PATH);
    let attrs = function.attr(attrs).and_then(|attrs| attrs.as_array(ctx)).unwrap_or_default();
    let mut paths: Vec<(Vec<Key>, i32)> = Vec::new();
    let mut missing = None;
    for index in 0..count {
        let path = attrs.get(index).and_then(|attrs| attrs.get(ctx, path_name));
        let Some(path) = path else {
            missing = missing.or(Some(index));
            continue;
        };
        let path = index_path(ctx, path).map_err(|message| format!("{what} #{index}: {message}"))?;
        paths.push((path, i32::try_from(index).map_err(|_| format!("more {what}s than can be numbered"))?));
    }
    match missing {
        _ if paths.is_empty() => Ok(None),
        Some(index) => Err(format!("{what} #{index} has no '{INDEX_PATH}', but others have one")),
        None => Structure::from_paths(paths)
            .map(Some)
            .map_err(|error| format!("unable to generate mangled form for index paths of {what}s: {error}")),
    }
}

/// The attributes of arguments or results without index paths; `None` if none remain.
fn without_index_paths(ctx: &Context, attrs: Attr) -> Option<Attr> {
    let path_name = ctx.name(INDEX_PATH);
    let mut is_empty = true;
    let strip = |attrs: &Attr| {
        let mut entries = attrs.as_dictionary(ctx).unwrap_or_default().to_vec();
        entries.retain(|&(name, _)| name != path_name);
        is_empty &= entries.is_empty();
        Attr::dictionary(ctx, &entries)
    };
    let rest: Vec<Attr> = attrs.as_array(ctx)?.iter().map(strip).collect();
    (!is_empty).then(|| Attr::array(ctx, &rest))
}
