//! The types of objects that contain floats.

use crate::types::{BoxType, Cell, ClosureType, Ref};
use crate::{Ctor, Declaration};
use minoan_ir::{Body, Context, Name, Type};
use minoan_services::{TangentSpace, is_complex};
use rustc_hash::{FxHashMap, FxHashSet};

/// The data types of a module.
#[derive(Default)]
pub(super) struct Kinds {
    /// The constructors.
    pub(super) ctors: FxHashMap<Name, Vec<Ctor>>,
    /// The data types with values that contain floats.
    with_floats: FxHashSet<Name>,
    /// The data types with values in which floats may be overwritten.
    mutable: FxHashSet<Name>,
    /// The data types with values that contain floats, but no known tangent.
    opaque: FxHashSet<Name>,
}

impl Kinds {
    pub(super) fn new(ctx: &Context, module: &Body) -> Self {
        let declared =
            |op| Some((ctx.name(module.op(op).symbol_name()?), Declaration::ctors_of(module.op(op))?));
        let ctors: FxHashMap<Name, Vec<Ctor>> = module.walk().into_iter().filter_map(declared).collect();
        let mut kinds = Self { ctors, ..Self::default() };
        kinds.with_floats = kinds.all_with(ctx, |ty| kinds.holds_floats(ctx, ty));
        kinds.mutable = kinds.all_with(ctx, |ty| kinds.is_mutable(ctx, ty));
        kinds.opaque = kinds.all_with(ctx, |ty| kinds.is_opaque(ctx, ty));
        kinds
    }

    /// Adds the declaration of a type of tangents.
    pub(super) fn declare(&mut self, name: Name, ctors: Vec<Ctor>, is_mutable: bool) {
        self.ctors.insert(name, ctors);
        self.with_floats.insert(name);
        if is_mutable {
            self.mutable.insert(name);
        }
    }

    /// The data types with a field for which `holds` is true, directly or in a field of a data type.
    fn all_with(&self, ctx: &Context, holds: impl Fn(Type) -> bool) -> FxHashSet<Name> {
        let mut users: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
        let (mut found, mut pending) = (FxHashSet::default(), Vec::new());
        for (&name, ctors) in &self.ctors {
            for &field in ctors.iter().flat_map(|ctor| &ctor.fields) {
                let mut parts = Vec::new();
                cells_in(ctx, field, &mut parts);
                parts.into_iter().for_each(|part| users.entry(part).or_default().push(name));
                if holds(field) && found.insert(name) {
                    pending.push(name);
                }
            }
        }
        while let Some(name) = pending.pop() {
            for &user in users.get(&name).into_iter().flatten() {
                if found.insert(user) {
                    pending.push(user);
                }
            }
        }
        found
    }

    pub(super) fn holds_floats(&self, ctx: &Context, ty: Type) -> bool {
        let any = |types: &[Type]| types.iter().any(|&ty| self.holds_floats(ctx, ty));
        if let Some(cell) = Cell::cast(ctx, ty) {
            return self.with_floats.contains(&cell.name(ctx).root(ctx));
        }
        if let Some(boxed) = BoxType::cast(ctx, ty) {
            return self.holds_floats(ctx, boxed.contents(ctx));
        }
        if let Some(reference) = Ref::cast(ctx, ty) {
            return any(&reference.contents(ctx));
        }
        if let Some(closure) = ClosureType::cast(ctx, ty) {
            let (inputs, results) = closure.signature(ctx).as_function(ctx).unwrap_or((&[], &[]));
            return any(inputs) || any(results);
        }
        match ty.as_tuple(ctx) {
            Some(parts) => any(parts),
            None => <dyn TangentSpace>::of(ctx, ty).is_some(),
        }
    }

    pub(super) fn is_mutable(&self, ctx: &Context, ty: Type) -> bool {
        if let Some(cell) = Cell::cast(ctx, ty) {
            return self.mutable.contains(&cell.name(ctx).root(ctx));
        }
        if Ref::cast(ctx, ty).is_some() {
            return self.holds_floats(ctx, ty);
        }
        if let Some(parts) = ty.as_tuple(ctx) {
            return parts.iter().any(|&ty| self.is_mutable(ctx, ty));
        }
        // The captured values of a closure are unknown.
        ClosureType::cast(ctx, ty).is_some()
    }

    /// Whether values of a type of objects or of a field contain floats, but their tangent is unknown.
    pub(super) fn is_opaque(&self, ctx: &Context, ty: Type) -> bool {
        if let Some(cell) = Cell::cast(ctx, ty) {
            return self.opaque.contains(&cell.name(ctx).root(ctx));
        }
        if let Some(reference) = Ref::cast(ctx, ty) {
            return reference.contents(ctx).iter().any(|&ty| self.is_opaque(ctx, ty));
        }
        if BoxType::cast(ctx, ty).is_some() {
            return false;
        }
        self.holds_floats(ctx, ty) && !is_float_number(ctx, ty)
    }
}

/// Whether a type is one of floats or complex numbers.
pub(super) fn is_float_number(ctx: &Context, ty: Type) -> bool {
    ty.is_float(ctx) || is_complex(ctx, ty)
}

/// The data types in a field type.
fn cells_in(ctx: &Context, ty: Type, found: &mut Vec<Name>) {
    if let Some(cell) = Cell::cast(ctx, ty) {
        found.push(cell.name(ctx).root(ctx));
    } else if let Some(reference) = Ref::cast(ctx, ty) {
        reference.contents(ctx).iter().for_each(|&ty| cells_in(ctx, ty, found));
    } else if let Some(parts) = ty.as_tuple(ctx) {
        parts.iter().for_each(|&ty| cells_in(ctx, ty, found));
    }
}
