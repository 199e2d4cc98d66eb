//! References that may reach themselves.

use crate::declare::Ctor;
use crate::ops::{Closure, RefNew};
use crate::types::{Cell, ClosureType, Ref};
use minoan_ir::{Body, Context, Name, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// The types of references whose contents may own a reference of the same type: objects can own each other through them.
/// Contents are followed through the fields of data types and through the captures of the closures of a type that the program
/// creates.
pub(crate) fn cyclic_references(
    ctx: &Context,
    body: &Body,
    types: &FxHashMap<Name, Vec<Ctor>>,
) -> FxHashSet<Type> {
    let mut found = Found::default();
    found.body(body);
    let Found { captures, references } = found;
    let parts = |ty: Type| -> Vec<Type> {
        if let Some(cell) = Cell::cast(ctx, ty) {
            let ctors = types.get(&cell.name(ctx).root(ctx)).into_iter().flatten();
            ctors.flat_map(|ctor| ctor.fields.iter().copied()).collect()
        } else if ClosureType::cast(ctx, ty).is_some() {
            captures.get(&ty).map(|captures| captures.iter().copied().collect()).unwrap_or_default()
        } else {
            Ref::cast(ctx, ty).map(|reference| reference.contents(ctx).to_vec()).unwrap_or_default()
        }
    };
    let reaches_itself = |&reference: &Type| {
        let (mut pending, mut seen) = (parts(reference), FxHashSet::default());
        while let Some(ty) = pending.pop() {
            if ty == reference {
                return true;
            }
            if seen.insert(ty) {
                pending.extend(parts(ty));
            }
        }
        false
    };
    references.into_iter().filter(reaches_itself).collect()
}

/// The objects that a program creates, by their types.
#[derive(Default)]
struct Found {
    /// The types of captured values, by the type of the closure.
    captures: FxHashMap<Type, FxHashSet<Type>>,
    references: FxHashSet<Type>,
}

impl Found {
    fn body(&mut self, body: &Body) {
        for op in body.walk() {
            let op = body.op(op);
            if let Some(nested) = op.nested() {
                minoan_ir::with_stack(|| self.body(nested));
            }
            let Some(ty) = op.result_types().next() else { continue };
            if op.is::<Closure>() {
                self.captures.entry(ty).or_default().extend(op.operand_types());
            } else if op.is::<RefNew>() {
                self.references.insert(ty);
            }
        }
    }
}
