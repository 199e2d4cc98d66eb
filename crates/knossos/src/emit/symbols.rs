//! Symbol names of the emitted functions.

use crate::typed::{FnName, FnRef, TypedProgram};
use crate::types::{Type, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};

/// Assigns a unique symbol to each function: its plain name if it is the only function or the first root with that
/// name, or if it is external, since that is its link name; otherwise the name with the types of its argument.
pub(super) fn assign(
    program: &TypedProgram,
    roots: &[FnRef],
    functions: impl Iterator<Item = FnRef>,
) -> FxHashMap<FnRef, String> {
    let mut order: Vec<FnRef> = functions.collect();
    let mut overloads: FxHashMap<&FnName, u32> = FxHashMap::default();
    for &id in &order {
        *overloads.entry(program.identity(id).0).or_default() += 1;
    }
    let keeps_name = |id: FnRef| matches!(id, FnRef::Edef(_)) || roots.contains(&id);
    order.sort_by_key(|&id| !keeps_name(id));
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut symbols = FxHashMap::default();
    for id in order {
        let (function, base_arg) = program.identity(id);
        let mut name = plain(program, function);
        if (overloads[function] > 1 && !keeps_name(id)) || taken.contains(&name) {
            name.push('@');
            argument_codes(&program.types, base_arg, &mut name);
        }
        while !taken.insert(name.clone()) {
            name.push('\'');
        }
        symbols.insert(id, name);
    }
    symbols
}

/// `f`, or `rev$f`. Names of the runtime library are reserved.
fn plain(program: &TypedProgram, name: &FnName) -> String {
    let mut text = String::new();
    for derivation in &name.derivations {
        text.push_str(derivation.text(&program.names));
        text.push('$');
    }
    text.push_str(program.names.text(name.base));
    if text.starts_with("minoan_") { format!("ks${text}") } else { text }
}

fn argument_codes(types: &Types, arg: TypeId, out: &mut String) {
    match types.get(arg) {
        Type::Tuple(parts) => parts.iter().for_each(|&part| codes(types, part, 0, out)),
        _ => codes(types, arg, 0, out),
    }
}

fn codes(types: &Types, ty: TypeId, depth: u32, out: &mut String) {
    const MAX_LENGTH: usize = 200;
    if depth > 30 || out.len() > MAX_LENGTH {
        return out.push('~');
    }
    match types.get(ty) {
        Type::Integer => out.push('i'),
        Type::Float => out.push('f'),
        Type::Bool => out.push('b'),
        Type::String => out.push('s'),
        Type::Tensor(rank, element) => {
            out.push_str(&format!("T{rank}"));
            codes(types, *element, depth + 1, out);
        }
        Type::Tuple(parts) => {
            out.push('<');
            parts.iter().for_each(|&part| codes(types, part, depth + 1, out));
            out.push('>');
        }
        Type::Lam(from, to) | Type::LinearMap(from, to) => {
            out.push('l');
            codes(types, *from, depth + 1, out);
            codes(types, *to, depth + 1, out);
        }
        Type::Bag(..) | Type::Any | Type::Error => out.push('x'),
    }
}
