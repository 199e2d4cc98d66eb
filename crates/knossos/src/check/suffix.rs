//! Names with type codes, such as `add@ff`.

use crate::types::{Type, TypeId, Types};
use std::fmt::Write;

/// Splits `add@ff` into `add` and `ff`.
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once('@').filter(|(base, codes)| !base.is_empty() && !codes.is_empty())
}

/// Whether `codes` describe arguments of this type: `f`, `i`, `b`, `s` for scalars, `v` or `T1` for vectors, `T2`
/// etc. for tensors, `<..>` or `t..` for tuples; the outermost tuple is unmarked.
pub(super) fn matches(types: &Types, codes: &str, arg: TypeId) -> bool {
    const MAX_LENGTH: usize = 1000;
    if codes.len() > MAX_LENGTH {
        return false;
    }
    [true, false].into_iter().any(|short| {
        let mut marked = String::new();
        match types.get(arg) {
            Type::Tuple(parts) => parts.iter().for_each(|&part| write(types, part, short, &mut marked)),
            _ => write(types, arg, short, &mut marked),
        }
        let mut whole = String::new();
        write(types, arg, short, &mut whole);
        marked == codes || whole == codes
    })
}

fn write(types: &Types, id: TypeId, short: bool, out: &mut String) {
    const MAX_LENGTH: usize = 1000;
    if out.len() > MAX_LENGTH {
        return;
    }
    match types.get(id) {
        Type::Float => out.push('f'),
        Type::Integer => out.push('i'),
        Type::Bool => out.push('b'),
        Type::String => out.push('s'),
        Type::Tensor(rank, element) => {
            let _ = if short && *rank == 1 { write!(out, "v") } else { write!(out, "T{rank}") };
            minoan_frontend::with_stack(|| write(types, *element, short, out));
        }
        Type::Tuple(parts) => {
            out.push_str(if short { "t" } else { "<" });
            parts.iter().for_each(|&part| minoan_frontend::with_stack(|| write(types, part, short, out)));
            if !short {
                out.push('>');
            }
        }
        Type::Lam(from, to) | Type::LinearMap(from, to) => {
            out.push_str("l<");
            [from, to]
                .into_iter()
                .for_each(|&part| minoan_frontend::with_stack(|| write(types, part, short, out)));
            out.push('>');
        }
        Type::Error | Type::Any | Type::Bag(..) => out.push('?'),
    }
}
