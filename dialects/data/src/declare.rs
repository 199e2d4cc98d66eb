//! `data.type`, and the verification of operations against the declarations that they refer to.

use crate::ops::{Closure, Make, Project, compare};
use crate::types::{Cell, ClosureType};
use crate::{Match, cases};
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{
    Array, Attr, Body, Builder, Context, Name, Op, OpDef, OpRef, SymbolName, SymbolUser, Traits, Type,
    Violation, Violations, op,
};
use minoan_services::{EffectSet, Effects};
use rustc_hash::FxHashSet;

/// Declares a data type by its constructors: `data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()`.
#[op(
    "data.type",
    traits(SYMBOL),
    assembly = custom(parse_declaration, print_declaration),
    verify = verify_declaration,
    services(Effects = EffectSet::NONE)
)]
pub struct Declaration {
    /// The symbol name.
    sym_name: SymbolName,
    /// The symbol visibility: `public` if absent, or `private`.
    sym_visibility: Option<String>,
    /// The names of the constructors.
    ctors: Array<String>,
    /// The field types of each constructor.
    fields: Array<Attr>,
}

/// A constructor of a data type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ctor {
    /// The name.
    pub name: String,
    /// The types of the fields.
    pub fields: Vec<Type>,
}

impl Declaration {
    /// Creates a private declaration at the insertion point, which is in a module.
    pub fn declare(b: &mut Builder<'_>, name: &str, ctors: &[Ctor]) -> Declaration {
        let ctx = b.context();
        let names: Array<String> = ctors.iter().map(|ctor| ctor.name.clone()).collect();
        let fields: Array<Attr> = ctors.iter().map(|ctor| type_array(&ctx, &ctor.fields)).collect();
        Declaration::build(b, name, Some("private".to_owned()), names, fields)
    }

    /// The constructors that an operation declares; `None` if it declares no data type.
    pub fn ctors_of(op: OpRef<'_>) -> Option<Vec<Ctor>> {
        if !op.is::<Declaration>() {
            return None;
        }
        let ctx = op.context();
        let names = op.attr_value::<Array<String>>("ctors")?;
        let fields = op.attr_value::<Array<Attr>>("fields")?;
        let ctor = |(name, fields): (&str, Attr)| {
            Some(Ctor { name: name.to_owned(), fields: types_of(ctx, fields)? })
        };
        names.iter().zip(fields.iter()).map(ctor).collect()
    }
}

/// An array of types as an attribute.
pub fn type_array(ctx: &Context, types: &[Type]) -> Attr {
    Attr::array(ctx, &types.iter().map(|&ty| Attr::ty(ctx, ty)).collect::<Vec<_>>())
}

/// The types of an array of types.
pub(crate) fn types_of(ctx: &Context, attr: Attr) -> Option<Vec<Type>> {
    attr.as_array(ctx)?.iter().map(|ty| ty.as_type(ctx)).collect()
}

fn parse_declaration(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let name = p.symbol_name()?;
    p.set_attr("sym_name", name);
    p.punct("=")?;
    let (mut names, mut fields) = (Vec::new(), Vec::new());
    loop {
        let name = p.string()?;
        names.push(Attr::string(p.ctx(), name));
        let mut types = Vec::new();
        p.punct("(")?;
        if !p.optional_punct(")") {
            types = p.type_list()?;
            p.punct(")")?;
        }
        fields.push(type_array(p.ctx(), &types));
        if !p.optional_punct("|") {
            break;
        }
    }
    let (names, fields) = (Attr::array(p.ctx(), &names), Attr::array(p.ctx(), &fields));
    p.set_attr("ctors", names);
    p.set_attr("fields", fields);
    p.attr_dict()
}

fn print_declaration(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.symbol(op.symbol_name().unwrap_or_default());
    p.text(" =");
    for (at, ctor) in Declaration::ctors_of(op).unwrap_or_default().iter().enumerate() {
        p.text(if at == 0 { " " } else { " | " });
        p.string(ctor.name.as_bytes());
        p.text("(");
        p.types(&ctor.fields);
        p.text(")");
    }
    p.attr_dict(&["sym_name", "ctors", "fields"]);
}

fn verify_declaration(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let array = |name: &str| view.attr_named(name).and_then(|attr| attr.as_array(body.context()));
    let (Some(names), Some(fields)) = (array("ctors"), array("fields")) else { return };
    if names.len() != fields.len() {
        let (names, fields) = (names.len(), fields.len());
        return errors.push(format!("has {names} constructors but {fields} lists of field types"));
    }
    let Some(ctors) = Declaration::ctors_of(view) else {
        return errors.push("expects names as 'ctors' and lists of types as 'fields'");
    };
    if ctors.is_empty() {
        errors.push("expects at least one constructor");
    }
    let mut names = FxHashSet::default();
    for ctor in &ctors {
        if !names.insert(&ctor.name) {
            errors.push(format!("declares constructor '{}' twice", ctor.name));
        }
    }
}

type Lookup<'f, 'a> = &'f dyn Fn(Name) -> Option<OpRef<'a>>;

/// The constructors of a declaration, decoded on demand: an operation that refers to one of them does not decode all.
#[derive(Clone, Copy)]
struct Ctors<'a> {
    names: &'a [Attr],
    fields: &'a [Attr],
}

impl<'a> Ctors<'a> {
    fn of(ctx: &'a Context, op: OpRef<'_>) -> Option<Self> {
        let array = |name: &str| op.attr_named(name)?.as_array(ctx);
        op.is::<Declaration>().then_some(())?;
        Some(Self { names: array("ctors")?, fields: array("fields")? })
    }

    fn names(self, ctx: &'a Context) -> impl Iterator<Item = &'a str> {
        self.names.iter().map(|name| name.as_str(ctx).unwrap_or_default())
    }

    /// Checks a constructor's name, position and field types.
    fn check(self, ctx: &Context, name: &str, tag: i64, fields: &[Type]) -> Result<(), Violation> {
        let at = usize::try_from(tag).ok();
        let is_there = |at: &usize| self.names.get(*at).and_then(|own| own.as_str(ctx)) == Some(name);
        let Some(at) = at.filter(is_there) else {
            return Err(match self.names(ctx).position(|own| own == name) {
                Some(at) => format!("expects position {at} of constructor '{name}', but got {tag}").into(),
                None => {
                    let known = self.names(ctx).collect::<Vec<_>>().join(", ");
                    format!("names no constructor '{name}' of the type, only {known}").into()
                }
            });
        };
        let want = self.fields.get(at).and_then(|&fields| types_of(ctx, fields)).unwrap_or_default();
        let mut errors = Violations::default();
        compare(ctx, "field", fields, &want, &mut errors);
        errors.into_iter().next().map_or(Ok(()), Err)
    }
}

/// The constructors of a data type that is declared.
fn declared_ctors<'c>(ctx: &'c Context, ty: Type, declared: Lookup<'_, '_>) -> Result<Ctors<'c>, Violation> {
    let Some(cell) = Cell::cast(ctx, ty) else { return Ok(Ctors { names: &[], fields: &[] }) };
    let name = cell.name(ctx).root(ctx);
    declared(name)
        .and_then(|declaration| Ctors::of(ctx, declaration))
        .ok_or_else(|| format!("'@{}' does not declare a data type", name.as_str(ctx)).into())
}

/// Verifies that a constructor belongs to the type.
pub(crate) struct CtorFits;

impl SymbolUser for CtorFits {
    fn check<'a>(&self, op: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation> {
        check_use(op, declared).err()
    }
}

fn check_use<'a>(op: OpRef<'_>, declared: Lookup<'_, 'a>) -> Result<(), Violation> {
    let ctx = op.context();
    let name = || op.attr_value::<String>("ctor").unwrap_or_default();
    let tag = || op.attr_value::<i64>("tag").unwrap_or(-1);
    if op.is::<Make>() {
        let ty = op.result_types().next().unwrap_or(Type::NONE);
        let fields: Vec<Type> = op.operand_types().collect();
        return declared_ctors(ctx, ty, declared)?.check(ctx, name(), tag(), &fields);
    }
    let ctors = declared_ctors(ctx, op.operand_types().next().unwrap_or(Type::NONE), declared)?;
    if op.is::<Project>() {
        let fields = op.attr_named("fields").and_then(|fields| types_of(ctx, fields));
        return ctors.check(ctx, name(), tag(), &fields.unwrap_or_default());
    }
    if op.is::<Match>() {
        let cases = cases(op);
        for (at, (name, tag)) in cases.iter().enumerate() {
            let entry = op.body().region(op.region(at)).entry();
            let fields: Vec<Type> = entry.map_or_else(Vec::new, |entry| {
                op.body().block(entry).args().map(|arg| op.body().ty(arg)).collect()
            });
            ctors.check(ctx, name, *tag, &fields)?;
        }
        if op.n_regions() == cases.len() {
            let named: FxHashSet<&str> = cases.iter().map(|(name, _)| *name).collect();
            let missing: Vec<&str> = ctors.names(ctx).filter(|name| !named.contains(name)).collect();
            if !missing.is_empty() {
                return Err(format!("has neither a case for {} nor a default", missing.join(", ")).into());
            }
        }
    }
    Ok(())
}

/// Verifies that a closure has the type of its function without the captured arguments.
pub(crate) struct ClosureFits;

impl SymbolUser for ClosureFits {
    fn check<'a>(&self, op: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation> {
        let (ctx, body) = (op.context(), op.body());
        let closure = Closure::from_op_unchecked(op.id());
        let name = closure.function(body);
        let function = declared(name).filter(|function| function.has_trait(Traits::FUNCTION_LIKE));
        let function = function.and_then(minoan_services::function_types);
        let Some((inputs, results)) = function else {
            return Some(format!("'{}' does not reference a valid function", name.as_str(ctx)).into());
        };
        let signature = ClosureType::cast(ctx, body.ty(closure.result(body)))?.signature(ctx);
        let (rest, given) = signature.as_function(ctx)?;
        let have: Vec<Type> = op.operand_types().chain(rest.iter().copied()).collect();
        let mut errors = Violations::default();
        compare(ctx, "capture or argument", &have, inputs, &mut errors);
        compare(ctx, "result", given, results, &mut errors);
        errors.into_iter().next()
    }
}
