//! Tangents of values on the heap: data types, boxed tensors and references.

use crate::{TangentCx, TangentSpace, TransposeCx};
use minoan_ir::{Body, Builder, Context, Op, Type, Value, service};

/// Tangents of values on the heap. Queried by `differentiate`, of each dialect that has such types. Default: the types of the
/// dialect have the tangents of [`TangentSpace`](crate::TangentSpace).
pub trait ObjectTangents: Send + Sync {
    /// Whether values of a type may have floats as parts. Declarations of types are not consulted, so a type without
    /// floats may be one.
    fn is_object(&self, ctx: &Context, ty: Type) -> bool;

    /// The objects of a module.
    fn of_module<'c>(&self, ctx: &'c Context, module: &Body) -> Box<dyn ModuleObjects + 'c>;

    /// Rewrites a module whose functions are to be differentiated into an equivalent one with objects that have
    /// tangents.
    fn prepare(&self, module: &mut Body) {
        let _ = module;
    }
}
service!(dyn ObjectTangents, "ObjectTangents", Optional);

impl dyn ObjectTangents {
    /// The dialects with objects.
    pub fn all(ctx: &Context) -> impl Iterator<Item = &dyn ObjectTangents> {
        ctx.dialects_with::<dyn ObjectTangents>()
            .filter_map(|dialect| dialect.service::<dyn ObjectTangents>())
    }
}

/// Whether a request for a derivative ([`DiffRequest`](crate::DiffRequest)) has a tangent for values of a type. Such a tangent
/// has the type of the value.
pub fn has_tangent(ctx: &Context, ty: Type) -> bool {
    <dyn TangentSpace>::of(ctx, ty).is_some()
        || <dyn ObjectTangents>::all(ctx).any(|objects| objects.is_object(ctx, ty))
}

/// The objects of a module, and their tangents.
///
/// The tangent of an object is an object of a type of its own, with the tangents of the parts that have one. It may be
/// *zero*, without parts, however large the value is. So creating a zero takes constant time, and so does adding on
/// average: each object that an addition visits and does not share with its result is dead afterwards.
pub trait ModuleObjects {
    /// Whether values of a type may contain floats, or compute with floats of their own.
    fn holds_floats(&self, ty: Type) -> bool;

    /// Whether floats in values of a type may be overwritten.
    fn is_mutable(&self, ty: Type) -> bool;

    /// The type of the tangents of values of a type; `None` if they have none, or none is known.
    fn tangent_type(&self, ty: Type) -> Option<Type> {
        let _ = ty;
        None
    }

    /// Creates the zero of a type of tangents; `None` if the type is not one.
    fn zero(&self, b: &mut Builder<'_>, tangent: Type) -> Option<Value> {
        let _ = (b, tangent);
        None
    }

    /// Creates the sum of two tangents; `None` if their type is not a tangent type of this dialect.
    fn add(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Option<Value> {
        let _ = (b, x, y);
        None
    }

    /// Creates the tangents of the results of an operation on objects; `None` for other operations.
    fn tangent(&self, cx: &mut TangentCx<'_, '_>) -> Option<Result<(), String>> {
        let _ = cx;
        None
    }

    /// Adds the cotangents of the operands of an operation on objects, given those of its results; `None` for other
    /// operations. Operands are those of the function, and [`TransposeCx::is_linear`] selects those with a cotangent.
    fn pullback(&self, cx: &mut TransposeCx<'_, '_>) -> Option<Result<(), String>> {
        let _ = cx;
        None
    }

    /// Creates the tangent for a value of the primal's type at a request: the floats of the value are the tangents.
    fn import(&self, b: &mut Builder<'_>, value: Value) -> Option<Value> {
        let _ = (b, value);
        None
    }

    /// Creates the value of the primal's type for a tangent at a request: the inverse of
    /// [`ModuleObjects::import`]. Parts without a tangent are zero.
    fn export(&self, b: &mut Builder<'_>, primal: Value, tangent: Value) -> Option<Value> {
        let _ = (b, primal, tangent);
        None
    }

    /// Creates a value like another one with all floats replaced by `number`.
    fn filled_like(&self, b: &mut Builder<'_>, value: Value, number: i64) -> Option<Value> {
        let _ = (b, value, number);
        None
    }

    /// Creates an empty stack for objects, numbers or tensors of a type.
    fn stack(&self, b: &mut Builder<'_>, ty: Type) -> Option<Value> {
        let _ = (b, ty);
        None
    }

    /// Creates the stack with a value on top.
    fn push(&self, b: &mut Builder<'_>, stack: Value, object: Value) -> Value {
        let _ = (b, object);
        stack
    }

    /// Creates the value on top of a stack, and the stack without it.
    fn pop(&self, b: &mut Builder<'_>, stack: Value) -> (Value, Value) {
        let _ = b;
        (stack, stack)
    }

    /// Adds the declarations and functions to a module that were created since the last time; returns those with a symbol.
    fn flush(&self, module: &mut Body) -> Vec<Op> {
        let _ = module;
        Vec::new()
    }
}
