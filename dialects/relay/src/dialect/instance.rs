//! The data types of the source that declarations in the IR are instances of.
//!
//! A `data.type` has no type parameters, so `List[int32]` and `List[bool]` are two declarations. The attribute
//! `relay.instance` of each states the name and the type parameters in the source, the type arguments, and the types of the
//! fields in terms of the parameters.
//!
//! Type arguments and fields are *source types*: IR types with [`TypeVar`]s, in which a [`TypeCall`] takes the place of each
//! `!data.cell`. [`SourceTypes`] converts the types of the IR to source types, and [`Instance::substituted_fields`] replaces the
//! parameters. Both take linear time, since types are interned and equal parts are converted once.

use minoan_data::{Cell, Declaration};
use minoan_ir::verify::AttrRules;
use minoan_ir::{Attr, Context, Name, OpRef, Replacer, Type, TypeOrAttr, attr, ensure, ty};
use rustc_hash::{FxHashMap, FxHashSet};

/// The name of the attribute of declarations.
pub const INSTANCE: &str = "relay.instance";

/// A type parameter of a data type: `!relay.type_var<"A">`.
#[ty("relay.type_var", verify = |_: &Context, name: &str| -> Result<(), String> { verify_name(name) })]
pub struct TypeVar {
    /// The name.
    name: String,
}

/// A data type of the source with type arguments, `!relay.type_call<"List", !relay.type_var<"A">>`.
#[ty(
    "relay.type_call",
    assembly = "`<` $name (`,` $args^)? `>`",
    verify = |_: &Context, name: &str, _: Vec<Type>| -> Result<(), String> { verify_name(name) }
)]
pub struct TypeCall {
    /// The name.
    name: String,
    /// The type arguments.
    args: Vec<Type>,
}

/// The data type of the source that a declaration is an instance of: `#relay.instance<"Expr">`.
///
/// With type parameters, the attribute has the type arguments, and the types of the fields of each constructor in terms of the
/// parameters. Without, the declaration has the types of the fields. `type List[A] { Cons(A, List[A]), Nil }` with the argument
/// `int32`:
///
/// ```mlir
/// #relay.instance<"List", params = ["A"], args = [tensor<i32>],
///     fields = [[!relay.type_var<"A">, !relay.type_call<"List", !relay.type_var<"A">>], []]>
/// ```
#[attr(
    "relay.instance",
    assembly = "`<` $name (`,` `params` `=` `[` $params^ `]` `,` `args` `=` `[` $args `]` `,` `fields` `=` `[` $fields `]`)? `>`",
    verify = verify_instance
)]
pub struct Instance {
    /// The name.
    name: String,
    /// The names of the type parameters.
    params: Vec<String>,
    /// The type arguments.
    args: Vec<Type>,
    /// The types of the fields of each constructor, as arrays.
    fields: Vec<Attr>,
}

fn verify_name(name: &str) -> Result<(), String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/');
    ensure!(
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(is_word),
        "expected an identifier of Relay, found '{name}'"
    );
    Ok(())
}

fn verify_instance(
    ctx: &Context,
    name: &str,
    params: Vec<&str>,
    args: Vec<Type>,
    fields: Vec<Attr>,
) -> Result<(), String> {
    verify_name(name)?;
    let mut declared = FxHashSet::default();
    for &param in &params {
        verify_name(param)?;
        ensure!(declared.insert(param), "type parameter '{param}' is declared twice");
    }
    ensure!(
        args.len() == params.len(),
        "expected one type argument for each type parameter, found {} for {}",
        args.len(),
        params.len()
    );
    ensure!(!params.is_empty() || fields.is_empty(), "expected no types of fields without type parameters");
    let mut parts = TypeParts::default();
    for arg in args {
        parts.add(ctx, arg);
    }
    if let Some(var) = parts.vars.first() {
        return Err(format!("expected no type parameter in type arguments, found '{}'", var.as_str(ctx)));
    }
    for fields in fields {
        let Some(types) = fields.as_array(ctx).map(|types| types.iter().map(|ty| ty.as_type(ctx))) else {
            return Err("expected an array of types for each constructor".to_owned());
        };
        for ty in types {
            parts.add(ctx, ty.ok_or("expected an array of types for each constructor")?);
        }
    }
    match parts.vars.iter().find(|var| !declared.contains(var.as_str(ctx))) {
        Some(var) => Err(format!("type parameter '{}' is not declared", var.as_str(ctx))),
        None => Ok(()),
    }
}

impl Instance {
    /// The instance that a declaration is; `None` for any other operation.
    pub fn of(op: OpRef<'_>) -> Option<Instance> {
        let instance = op.is::<Declaration>().then(|| op.attr_named(INSTANCE))??;
        Instance::cast(op.context(), instance)
    }

    /// The data type of the source with the type arguments.
    pub fn call(self, ctx: &Context) -> Type {
        TypeCall::get(ctx, self.name(ctx).to_owned(), self.args(ctx)).into()
    }

    /// The source types of the fields of each constructor, in terms of the type parameters.
    pub fn field_types(self, ctx: &Context) -> Vec<Vec<Type>> {
        let types = |fields: &Attr| {
            let types = fields.as_array(ctx).unwrap_or_default().iter();
            types.filter_map(|ty| ty.as_type(ctx)).collect()
        };
        self.fields(ctx).iter().map(types).collect()
    }

    /// The source types of the fields of each constructor, with the type arguments.
    pub fn substituted_fields(self, ctx: &Context) -> Vec<Vec<Type>> {
        let args: FxHashMap<&str, Type> = self.params(ctx).into_iter().zip(self.args(ctx)).collect();
        let mut replacer = Replacer::new(ctx, |element| {
            let TypeOrAttr::Type(ty) = element else { return None };
            let var = TypeVar::cast(ctx, ty)?;
            args.get(var.name(ctx)).map(|&arg| arg.into())
        });
        let mut fields = self.field_types(ctx);
        fields.iter_mut().flatten().for_each(|ty| *ty = replacer.ty(*ty));
        fields
    }
}

/// Converts types of the IR to source types: the data types in them become those that their declarations are instances of.
pub struct SourceTypes<'c>(Replacer<'c>);

impl<'c> SourceTypes<'c> {
    /// Creates a converter; `calls` has the data types of the source by the symbols of their declarations.
    pub fn new(ctx: &'c Context, calls: FxHashMap<Name, Type>) -> Self {
        Self(Replacer::new(ctx, move |element| {
            let TypeOrAttr::Type(ty) = element else { return None };
            let cell = Cell::cast(ctx, ty)?;
            calls.get(&cell.name(ctx).root(ctx)).map(|&call| call.into())
        }))
    }

    /// Converts a type. Data types without a source stay unchanged.
    pub fn of(&mut self, ty: Type) -> Type {
        self.0.ty(ty)
    }
}

/// The type parameters and data types in types, each once.
#[derive(Default)]
pub struct TypeParts {
    seen: FxHashSet<Type>,
    /// The names of type parameters.
    pub vars: Vec<Name>,
    /// The data types of the source.
    pub calls: Vec<TypeCall>,
    /// The symbols of declarations.
    pub cells: Vec<Name>,
}

impl TypeParts {
    /// Adds the parts of a type.
    pub fn add(&mut self, ctx: &Context, ty: Type) {
        let mut pending = vec![ty];
        while let Some(ty) = pending.pop() {
            if !self.seen.insert(ty) {
                continue;
            }
            self.vars.extend(TypeVar::cast(ctx, ty).map(|var| ctx.name(var.name(ctx))));
            self.calls.extend(TypeCall::cast(ctx, ty));
            self.cells.extend(Cell::cast(ctx, ty).map(|cell| cell.name(ctx).root(ctx)));
            ty.for_each_sub_element(ctx, &mut |part| match part {
                TypeOrAttr::Type(part) => pending.push(part),
                TypeOrAttr::Attr(_) => {}
            });
        }
    }
}

/// Verification of the dialect's attributes.
pub(crate) struct RelayRules;

impl AttrRules for RelayRules {
    fn check(&self, op: OpRef<'_>, name: &str, attr: Attr) -> Option<String> {
        if name != INSTANCE {
            return None;
        }
        if Instance::cast(op.context(), attr).is_none() {
            return Some(format!("'{name}' is expected to be a #relay.instance attribute"));
        }
        (!op.is::<Declaration>()).then(|| format!("'{name}' is only allowed on 'data.type'"))
    }
}
