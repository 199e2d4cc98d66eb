//! Tangents of objects.

use crate::types::{BoxType, Cell, ClosureType, Ref};
use crate::{Ctor, Declaration};
use minoan_ir::{Body, Context, Name, Type};
use minoan_services::{ModuleObjects, ObjectTangents, TangentSpace};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) struct Tangents;

impl ObjectTangents for Tangents {
    fn is_object(&self, ctx: &Context, ty: Type) -> bool {
        Cell::cast(ctx, ty).is_some() || BoxType::cast(ctx, ty).is_some()
    }

    fn of_module<'c>(&self, ctx: &'c Context, module: &Body) -> Box<dyn ModuleObjects + 'c> {
        Box::new(Objects::new(ctx, module))
    }
}

/// The objects of a module.
struct Objects<'c> {
    ctx: &'c Context,
    /// The data types with values that contain floats.
    with_floats: FxHashSet<Name>,
    /// The data types with values in which floats may be overwritten.
    mutable: FxHashSet<Name>,
}

impl<'c> Objects<'c> {
    fn new(ctx: &'c Context, module: &Body) -> Self {
        let declared =
            |op| Some((ctx.name(module.op(op).symbol_name()?), Declaration::ctors_of(module.op(op))?));
        let types: FxHashMap<Name, Vec<Ctor>> = module.walk().into_iter().filter_map(declared).collect();
        let mut objects = Self { ctx, with_floats: FxHashSet::default(), mutable: FxHashSet::default() };
        objects.with_floats = closure_of(ctx, &types, |ty| objects.holds_floats(ty));
        objects.mutable = closure_of(ctx, &types, |ty| objects.is_mutable(ty));
        objects
    }
}

/// The data types with a field of which `holds` is true, directly or in a field of a data type.
fn closure_of(
    ctx: &Context,
    types: &FxHashMap<Name, Vec<Ctor>>,
    holds: impl Fn(Type) -> bool,
) -> FxHashSet<Name> {
    let mut users: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    let (mut found, mut pending) = (FxHashSet::default(), Vec::new());
    for (&name, ctors) in types {
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

impl ModuleObjects for Objects<'_> {
    fn holds_floats(&self, ty: Type) -> bool {
        let ctx = self.ctx;
        if let Some(cell) = Cell::cast(ctx, ty) {
            return self.with_floats.contains(&cell.name(ctx).root(ctx));
        }
        if let Some(boxed) = BoxType::cast(ctx, ty) {
            return self.holds_floats(boxed.contents(ctx));
        }
        if let Some(reference) = Ref::cast(ctx, ty) {
            return reference.contents(ctx).iter().any(|&ty| self.holds_floats(ty));
        }
        if let Some(closure) = ClosureType::cast(ctx, ty) {
            let (inputs, results) = closure.signature(ctx).as_function(ctx).unwrap_or((&[], &[]));
            return inputs.iter().chain(results).any(|&ty| self.holds_floats(ty));
        }
        if let Some(parts) = ty.as_tuple(ctx) {
            return parts.iter().any(|&ty| self.holds_floats(ty));
        }
        <dyn TangentSpace>::of(ctx, ty).is_some()
    }

    fn is_mutable(&self, ty: Type) -> bool {
        let ctx = self.ctx;
        if let Some(cell) = Cell::cast(ctx, ty) {
            return self.mutable.contains(&cell.name(ctx).root(ctx));
        }
        if Ref::cast(ctx, ty).is_some() {
            return self.holds_floats(ty);
        }
        if let Some(parts) = ty.as_tuple(ctx) {
            return parts.iter().any(|&ty| self.is_mutable(ty));
        }
        // What a closure captures is unknown.
        ClosureType::cast(ctx, ty).is_some()
    }
}
