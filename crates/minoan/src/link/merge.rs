//! Merging of modules: symbols are renamed apart, and adapters are placed between types.

use super::adapt::{self, Adapter};
use super::{
    Part, RUNTIME, Signature, defined, is_declaration, provider, shown, signature, symbol, top, undefined,
};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_func::Func;
use minoan_ir::{Builder, InsertionPoint, Loc, Mapping, Module, Name, Op, SymbolTable};
use minoan_services::{ByAttributes, Symbols, Visibility, rename_symbols};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function of a part, by the index of the part and the symbol.
type Function = (usize, Name);

/// A declaration and the function that defines it.
struct Use {
    /// The part that contains the declaration; `None` for the destination module.
    user: Option<usize>,
    op: Op,
    loc: Loc,
    function: Function,
    wanted: Signature,
    /// The adapter, if the function has another type.
    adapter: Option<Adapter>,
}

/// Replaces declarations of the module by definitions of the parts.
///
/// # Errors
/// A definition does not match its declaration.
pub(super) fn merge(module: &mut Module, parts: &mut [Part<'_>]) -> Result<(), Diagnostics> {
    let uses = uses(module, parts)?;
    let mut reserved = SymbolTable::of(module.body());
    let (names, shared) = name_functions(&mut reserved, &uses, parts);
    let ctx = module.context().clone();
    // The names of adapters by target and conversion. Adapters for the module have the names that it declares.
    let mut adapters: FxHashMap<(Function, &Signature), Name> = FxHashMap::default();
    let mut built: Vec<(&Use, &Adapter, Name)> = Vec::new();
    let mut renamed: Vec<FxHashMap<Name, Name>> = parts.iter().map(|_| FxHashMap::default()).collect();
    for (&(part, name), &here) in &names {
        renamed[part].insert(name, here);
    }
    for one in &uses {
        let here = match &one.adapter {
            None => names[&one.function],
            Some(adapter) => *adapters.entry((one.function, &one.wanted)).or_insert_with(|| {
                let own = one.function.1;
                let name = if one.user.is_none() { own } else { reserved.fresh(&ctx, own.as_str(&ctx)) };
                reserved.insert(name, one.op);
                built.push((one, adapter, name));
                name
            }),
        };
        if let Some(user) = one.user {
            renamed[user].insert(one.function.1, here);
        }
    }
    for (part, mut renamed) in parts.iter_mut().zip(renamed) {
        renamed.retain(|old, new| old != new);
        if let Some(module) = &mut part.module {
            rename_symbols(module.body_mut(), &renamed);
        }
    }

    let providers: FxHashMap<(Option<usize>, Op), usize> =
        uses.iter().map(|one| ((one.user, one.op), one.function.0)).collect();
    let mut taken = vec![false; parts.len()];
    for one in uses.iter().filter(|one| one.user.is_none()) {
        take(module, parts, one.function.0, one.op, &providers, &shared, &mut taken);
        module.body_mut().erase(one.op);
    }
    let block = module.block();
    for (one, adapter, name) in built {
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(one.loc);
        adapter.build(&mut b, name.as_str(&ctx), names[&one.function].as_str(&ctx));
    }
    Ok(())
}

/// The declarations that parts define: those of the module, then those of each part.
fn uses(module: &Module, parts: &[Part<'_>]) -> Result<Vec<Use>, Diagnostics> {
    let mut errors = Diagnostics::new();
    let mut uses = Vec::new();
    let users = parts.iter().enumerate().filter_map(|(at, part)| Some((Some(at), part.module.as_ref()?)));
    for (user, module) in std::iter::once((None, module)).chain(users) {
        for op in undefined(module) {
            let name = symbol(module, op);
            let Some(at) = provider(parts, name.as_str(module.context())) else { continue };
            let (wanted, loc) = (signature(module, op), module.body().op(op).loc());
            match adapter(&wanted, loc, name, &parts[at]) {
                Ok(adapter) => uses.push(Use { user, op, loc, function: (at, name), wanted, adapter }),
                Err(error) => errors.push(*error),
            }
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(uses) }
}

/// The adapter between a declaration and the function of a part; `None` if they have the same type.
fn adapter(
    wanted: &Signature,
    loc: Loc,
    name: Name,
    part: &Part<'_>,
) -> Result<Option<Adapter>, Box<Diagnostic>> {
    let program = part.program.name();
    let taken = part.module.as_ref().expect("what is wanted of a program was lowered");
    let ctx = taken.context();
    let name = name.as_str(ctx);
    let found = defined(taken, name)
        .ok_or_else(|| Diagnostic::error(format!("'{program}' has no function '{name}' after lowering")))?;
    let given = signature(taken, found);
    adapt::plan(ctx, wanted, &given).map_err(|reason| {
        let error = format!("'{name}' is declared with another type than '{program}' defines it with");
        let place = taken.body().op(found).loc().place(ctx);
        Box::new(
            Diagnostic::error(error)
                .at(loc.place(ctx))
                .note(format!("declared as {}", shown(ctx, wanted)))
                .note_at(place, format!("defined as {}", shown(ctx, &given)))
                .note(reason),
        )
    })
}

/// The new names of the functions of the parts, including those of the runtime that the module declares.
fn name_functions(
    reserved: &mut SymbolTable,
    uses: &[Use],
    parts: &[Part<'_>],
) -> (FxHashMap<Function, Name>, FxHashSet<(usize, Op)>) {
    let declares = |one: &&Use| one.user.is_none() && one.adapter.is_none();
    let own_name: FxHashSet<Function> = uses.iter().filter(declares).map(|one| one.function).collect();
    let replaced: FxHashSet<(Option<usize>, Op)> = uses.iter().map(|one| (one.user, one.op)).collect();
    let (mut names, mut shared) = (FxHashMap::default(), FxHashSet::default());
    for (at, taken) in parts.iter().enumerate().filter_map(|(at, part)| Some((at, part.module.as_ref()?))) {
        let ctx = taken.context();
        for op in top(taken) {
            if taken.body().op(op).symbol_name().is_none() || replaced.contains(&(Some(at), op)) {
                continue;
            }
            let name = symbol(taken, op);
            let clashes = reserved.get(name).is_some() && !own_name.contains(&(at, name));
            if clashes && is_declaration(taken, op) && name.as_str(ctx).starts_with(RUNTIME) {
                shared.insert((at, op));
                continue;
            }
            let here = if clashes { reserved.fresh(ctx, name.as_str(ctx)) } else { name };
            reserved.insert(here, op);
            names.insert((at, name), here);
        }
    }
    (names, shared)
}

/// Copies a part before an operation of the module, once. Parts whose functions it declares are copied to the places of
/// the declarations.
fn take(
    module: &mut Module,
    parts: &[Part<'_>],
    part: usize,
    before: Op,
    providers: &FxHashMap<(Option<usize>, Op), usize>,
    shared: &FxHashSet<(usize, Op)>,
    taken: &mut [bool],
) {
    let Some(from) = parts[part].module.as_ref().filter(|_| !std::mem::replace(&mut taken[part], true))
    else {
        return;
    };
    for op in top(from) {
        if let Some(&provider) = providers.get(&(Some(part), op)) {
            take(module, parts, provider, before, providers, shared, taken);
            continue;
        }
        if shared.contains(&(part, op)) {
            continue;
        }
        let body = module.body_mut();
        let copy = body.clone_op_from(from.body(), op, InsertionPoint::Before(before), &mut Mapping::new());
        // No other operation refers to the function by name.
        if body.op(copy).is::<Func>() {
            let ctx = body.context().clone();
            let symbols = ctx.service::<dyn Symbols>(body.op(copy).kind()).unwrap_or(&ByAttributes);
            symbols.set_visibility(body, copy, Visibility::Private);
        }
    }
}
