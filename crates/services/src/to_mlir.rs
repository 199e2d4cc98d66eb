//! What operations, types and attributes are in MLIR.

use crate::Lower;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::{print_attr, print_type};
use minoan_ir::{Attr, AttrData, Body, Context, Module, OpRef, ServiceTable, Type, TypeData, service};
use rustc_hash::FxHashMap;

/// What an operation is in MLIR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InMlir {
    /// MLIR has it, with the same operands, results, regions, properties and attributes.
    Same,
    /// Another operation with the same operands, results, successors and regions.
    As {
        /// Its name.
        name: String,
        /// Its properties, or inherent attributes: a dictionary.
        props: Attr,
        /// Its other attributes: a dictionary.
        attrs: Attr,
    },
    /// MLIR has nothing like it; why, in words that follow a colon.
    Nothing(String),
}

/// What operations, types and attributes of a dialect are in MLIR. Asked by the bridge to MLIR, and by whoever wants to
/// know before; the default is that MLIR has none of them.
pub trait ToMlir: Send + Sync {
    /// What an operation is there.
    fn operation(&self, op: OpRef<'_>) -> InMlir;

    /// What a type of the dialect's own is there; `None` for one that MLIR has not. Types that every dialect shares are
    /// the same there.
    fn ty(&self, ctx: &Context, ty: Type) -> Option<Type> {
        let _ = (ctx, ty);
        None
    }

    /// What an attribute of the dialect's own is there; `None` for one that MLIR has not. Attributes that every dialect
    /// shares are the same there.
    fn attr(&self, ctx: &Context, attr: Attr) -> Option<Attr> {
        let _ = (ctx, attr);
        None
    }
}
service!(dyn ToMlir, "ToMlir", Default(NotInMlir));

/// The answer of a dialect that MLIR has too, under its name and with its text.
pub struct SameInMlir;

impl ToMlir for SameInMlir {
    fn operation(&self, _: OpRef<'_>) -> InMlir {
        InMlir::Same
    }

    fn ty(&self, _: &Context, ty: Type) -> Option<Type> {
        Some(ty)
    }

    fn attr(&self, _: &Context, attr: Attr) -> Option<Attr> {
        Some(attr)
    }
}

/// The default: MLIR has no such operation.
pub struct NotInMlir;

impl ToMlir for NotInMlir {
    fn operation(&self, op: OpRef<'_>) -> InMlir {
        let (dialect, ctx) = (op.name().split_once('.').map_or("", |(dialect, _)| dialect), op.context());
        InMlir::Nothing(match ctx.dialect(dialect) {
            Some(dialect) if dialect.service::<dyn Lower>().is_some() => {
                format!("dialect '{}' is lowered to others first", dialect.name())
            }
            Some(_) => format!("dialect '{dialect}' does not say what it is there"),
            None => format!("dialect '{dialect}' is not loaded"),
        })
    }
}

impl dyn ToMlir {
    /// What an operation is in MLIR.
    pub fn of(op: OpRef<'_>) -> InMlir {
        op.context().service::<dyn ToMlir>(op.kind()).unwrap_or(&NotInMlir).operation(op)
    }

    /// What a type is in MLIR, itself; the types in it are asked for by themselves. One of a dialect that is not loaded
    /// is its text, which MLIR knows or not.
    pub fn of_type(ctx: &Context, ty: Type) -> Option<Type> {
        let TypeData::Opaque { dialect, .. } = ty.data(ctx) else { return Some(ty) };
        match ctx.dialect(dialect.as_str(ctx)) {
            Some(dialect) => dialect.service::<dyn ToMlir>()?.ty(ctx, ty),
            None => Some(ty),
        }
    }

    /// What an attribute is in MLIR, itself; the attributes in it are asked for by themselves. One of a dialect that is
    /// not loaded is its text, which MLIR knows or not.
    pub fn of_attr(ctx: &Context, attr: Attr) -> Option<Attr> {
        let (AttrData::Opaque { dialect, .. } | AttrData::Structured { dialect, .. }) = attr.data(ctx) else {
            return Some(attr);
        };
        match ctx.dialect(dialect.as_str(ctx)) {
            Some(dialect) => dialect.service::<dyn ToMlir>()?.attr(ctx, attr),
            None => Some(attr),
        }
    }

    /// Everything in a module that MLIR does not take, at its place; the module's own operation is looked at too.
    pub fn refused(module: &Module) -> Diagnostics {
        let mut check = Check::new(module.context());
        check.op(module.holder().op(module.op()));
        check.inside(module.body());
        check.errors
    }

    /// Everything in a body that MLIR does not take, at its place; bodies that operations in it own are not looked at.
    pub fn refused_in(body: &Body) -> Diagnostics {
        let mut check = Check::new(body.context());
        check.body(body);
        check.errors
    }
}

/// Looks at each type and each attribute once.
struct Check<'c> {
    ctx: &'c Context,
    table: Option<&'c ServiceTable<dyn ToMlir>>,
    types: FxHashMap<Type, Option<Type>>,
    attrs: FxHashMap<Attr, Option<String>>,
    errors: Diagnostics,
}

impl<'c> Check<'c> {
    fn new(ctx: &'c Context) -> Self {
        Self {
            ctx,
            table: ctx.service_table(),
            types: FxHashMap::default(),
            attrs: FxHashMap::default(),
            errors: Diagnostics::new(),
        }
    }

    fn inside(&mut self, body: &Body) {
        let mut pending = vec![body];
        while let Some(body) = pending.pop() {
            self.body(body);
            pending.extend(body.walk().into_iter().filter_map(|op| body.op(op).nested()));
        }
    }

    fn body(&mut self, body: &Body) {
        for op in body.walk() {
            self.op(body.op(op));
        }
    }

    fn op(&mut self, op: OpRef<'_>) {
        let answer = self.table.and_then(|table| table.get(op.kind())).unwrap_or(&NotInMlir).operation(op);
        let (props, attrs) = match answer {
            InMlir::Same => (op.props(), op.attrs()),
            InMlir::As { props, attrs, .. } => (props, attrs),
            InMlir::Nothing(why) => {
                return self.error(op, format!("'{}' op has no form in MLIR: {why}", op.name()));
            }
        };
        // What is inside of another arena has its types looked at from there.
        let (body, regions) = op.inside();
        let blocks = regions.into_iter().flat_map(|region| body.region(region).blocks());
        let arguments: Vec<Type> =
            blocks.flat_map(|block| body.block(block).args()).map(|arg| body.ty(arg)).collect();
        let mut wrong: Vec<Type> =
            op.result_types().chain(arguments).filter_map(|ty| self.wrong_type(ty)).collect();
        wrong.dedup();
        for ty in wrong {
            let ty = print_type(self.ctx, ty);
            self.error(op, format!("'{}' op has a type that MLIR does not know: '{ty}'", op.name()));
        }
        for attr in [props, attrs] {
            if let Some(wrong) = self.wrong_attr(attr) {
                let message = format!("'{}' op has {wrong}", op.name());
                self.error(op, message);
            }
        }
    }

    fn error(&mut self, op: OpRef<'_>, message: String) {
        self.errors.push(Diagnostic::error(message).at(op.loc().place(self.ctx)));
    }

    /// The first type in a type that MLIR does not know.
    fn wrong_type(&mut self, ty: Type) -> Option<Type> {
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let ctx = self.ctx;
        let wrong = stacker::maybe_grow(64 * 1024, 1024 * 1024, || match ty.data(ctx) {
            TypeData::Opaque { .. } => <dyn ToMlir>::of_type(ctx, ty).is_none().then_some(ty),
            TypeData::Function { inputs, results } => {
                inputs.iter().chain(results).find_map(|&ty| self.wrong_type(ty))
            }
            TypeData::Tuple(elements) => elements.iter().find_map(|&ty| self.wrong_type(ty)),
            _ => ty.element(ctx).and_then(|element| self.wrong_type(element)),
        });
        self.types.insert(ty, wrong);
        wrong
    }

    /// What is wrong with the first part of an attribute that MLIR does not know.
    fn wrong_attr(&mut self, attr: Attr) -> Option<String> {
        if let Some(known) = self.attrs.get(&attr) {
            return known.clone();
        }
        let ctx = self.ctx;
        let wrong = stacker::maybe_grow(64 * 1024, 1024 * 1024, || match attr.data(ctx) {
            AttrData::Opaque { .. } | AttrData::Structured { .. } => <dyn ToMlir>::of_attr(ctx, attr)
                .is_none()
                .then(|| format!("an attribute that MLIR does not know: '{}'", print_attr(ctx, attr))),
            AttrData::Type(ty) => self.wrong_type(*ty).map(|ty| {
                format!("an attribute with a type that MLIR does not know: '{}'", print_type(ctx, ty))
            }),
            AttrData::Array(elements) => elements.iter().find_map(|&attr| self.wrong_attr(attr)),
            AttrData::Dictionary(entries) => entries.iter().find_map(|&(_, attr)| self.wrong_attr(attr)),
            _ => None,
        });
        self.attrs.insert(attr, wrong.clone());
        wrong
    }
}
