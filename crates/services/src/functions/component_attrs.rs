//! Attributes of arguments and results that keep what lowering drops: tuples, which are sequences, and the signs of
//! integers.

use crate::{INDEX_PATH, SOURCE_TYPE, index_path_attr};
use minoan_ir::{Attr, Context, Signedness, Type, TypeData};
use minoan_sip::Key;

/// The attributes of a function's arguments, one dictionary for each component; `None` if each argument has one
/// component and none is an unsigned integer. `flat` returns the types of the components of a value.
pub fn argument_attrs(ctx: &Context, inputs: &[Type], flat: &dyn Fn(Type) -> Vec<Type>) -> Option<Attr> {
    let mut components = Components { ctx, flat, rows: Vec::new(), path: Vec::new() };
    components.of_each(inputs);
    // Without tuples, the index paths of arguments are 0, 1, 2 and so on.
    components.attrs(inputs.iter().any(|&input| components.is_nested(input)))
}

/// The same for a function's results.
pub fn result_attrs(ctx: &Context, results: &[Type], flat: &dyn Fn(Type) -> Vec<Type>) -> Option<Attr> {
    let mut components = Components { ctx, flat, rows: Vec::new(), path: Vec::new() };
    let &[result] = results else {
        components.of_each(results);
        return components.attrs(results.iter().any(|&result| components.is_nested(result)));
    };
    components.of(result);
    // A single result, and the components of a tuple, are placed by their order; a tuple of one differs from its
    // component by its path.
    let parts = result.as_tuple(ctx);
    components.attrs(
        parts.is_some_and(|parts| parts.len() == 1 || parts.iter().any(|&part| components.is_nested(part))),
    )
}

/// The components of values, each with its index path and its type.
struct Components<'c> {
    ctx: &'c Context,
    /// The types of the lowered components of a value.
    flat: &'c dyn Fn(Type) -> Vec<Type>,
    rows: Vec<(Vec<Key>, Type)>,
    path: Vec<Key>,
}

impl Components<'_> {
    /// Whether a value has other components than itself.
    fn is_nested(&self, ty: Type) -> bool {
        ty.as_tuple(self.ctx).is_some() || (self.flat)(ty).len() != 1
    }

    /// Adds the components of several values, each at its position.
    fn of_each(&mut self, types: &[Type]) {
        for (&ty, index) in types.iter().zip(0..) {
            self.path.push(Key::Index(index));
            self.of(ty);
            self.path.pop();
        }
    }

    /// Adds the components of a value of type `ty`. Languages bound how deep tuples nest.
    fn of(&mut self, ty: Type) {
        let lowered;
        let parts = match ty.as_tuple(self.ctx) {
            Some(parts) => parts,
            None => {
                lowered = (self.flat)(ty);
                if lowered.len() == 1 {
                    return self.rows.push((self.path.clone(), ty));
                }
                &lowered
            }
        };
        self.of_each(parts);
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
