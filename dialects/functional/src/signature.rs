//! Attributes of arguments and results that keep what lowering drops: tuples, which are sequences, and the signs of
//! integers.

use minoan_ir::{Attr, Context, Signedness, Type, TypeData};
use minoan_services::{INDEX_PATH, SOURCE_TYPE, index_path_attr};
use minoan_sip::Key;

/// The attributes of a function's arguments, one dictionary for each component; `None` if no argument is a tuple or an
/// unsigned integer.
pub(super) fn argument_attrs(ctx: &Context, inputs: &[Type]) -> Option<Attr> {
    let mut components = Components { ctx, rows: Vec::new(), path: Vec::new() };
    for (&input, index) in inputs.iter().zip(0..) {
        components.path.push(Key::Index(index));
        components.of(input);
        components.path.pop();
    }
    // Without tuples, arguments stand at 0, 1, 2 and so on.
    components.attrs(inputs.iter().any(|input| input.as_tuple(ctx).is_some()))
}

/// The same for a function's results.
pub(super) fn result_attrs(ctx: &Context, results: &[Type]) -> Option<Attr> {
    let &[result] = results else { return None };
    let mut components = Components { ctx, rows: Vec::new(), path: Vec::new() };
    components.of(result);
    // A single result, and the components of a tuple, are placed by their order; a tuple of one differs from its
    // component by its path.
    let parts = result.as_tuple(ctx);
    components.attrs(
        parts.is_some_and(|parts| parts.len() == 1 || parts.iter().any(|part| part.as_tuple(ctx).is_some())),
    )
}

/// The components of values, each with its index path and its type.
struct Components<'c> {
    ctx: &'c Context,
    rows: Vec<(Vec<Key>, Type)>,
    path: Vec<Key>,
}

impl Components<'_> {
    /// Adds the components of a value of type `ty`. Languages bound how deep tuples nest.
    fn of(&mut self, ty: Type) {
        let Some(parts) = ty.as_tuple(self.ctx) else {
            return self.rows.push((self.path.clone(), ty));
        };
        for (&part, index) in parts.iter().zip(0..) {
            self.path.push(Key::Index(index));
            self.of(part);
            self.path.pop();
        }
    }

    fn attrs(&self, with_paths: bool) -> Option<Attr> {
        let ctx = self.ctx;
        let unsigned = |ty: Type| {
            let element = ty.element_or_self(ctx);
            matches!(element.data(ctx), TypeData::Integer { signedness: Signedness::Unsigned, .. })
        };
        if !with_paths && !self.rows.iter().any(|&(_, ty)| unsigned(ty)) {
            return None;
        }
        let dictionary = |(path, ty): &(Vec<Key>, Type)| {
            let mut entries = Vec::new();
            if with_paths {
                entries.push((ctx.name(INDEX_PATH), index_path_attr(ctx, path)));
            }
            if unsigned(*ty) {
                entries.push((ctx.name(SOURCE_TYPE), Attr::ty(ctx, *ty)));
            }
            Attr::dictionary(ctx, &entries)
        };
        Some(Attr::array(ctx, &self.rows.iter().map(dictionary).collect::<Vec<_>>()))
    }
}
