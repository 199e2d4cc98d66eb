//! The equivalents of operations, types and attributes in MLIR.

use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::{print_attr, print_type};
use minoan_ir::{Attr, AttrData, Body, Context, Module, OpRef, ServiceTable, Type, TypeData, service};
use rustc_hash::FxHashMap;

/// The equivalent of an operation in MLIR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InMlir {
    /// The same operation, with equal operands, results, regions, properties and attributes.
    Same,
    /// Another operation with equal operands, results, successors and regions.
    As {
        /// The name.
        name: String,
        /// The properties, or inherent attributes, as a dictionary.
        props: Attr,
        /// The discardable attributes, as a dictionary.
        attrs: Attr,
    },
    /// Several operations, executed one after the other.
    Sequence(MlirSequence),
    /// No equivalent; with the reason, as it appears after a colon.
    Nothing(String),
}

impl InMlir {
    /// An operation of the `llvm` dialect that computes each element of a result from those of the operands. Vectors of several
    /// dimensions, which LLVM does not have, are reshaped to one dimension and back.
    pub fn elementwise(op: OpRef<'_>, name: &str, props: Attr) -> Self {
        let ctx = op.context();
        let flat = |ty: Type| flattened(ctx, ty).unwrap_or(ty);
        if op.operand_types().chain(op.result_types()).all(|ty| flat(ty) == ty) {
            return Self::As { name: name.to_owned(), props, attrs: op.attrs() };
        }
        let mut sequence = MlirSequence::default();
        let cast = |sequence: &mut MlirSequence, value: MlirValue, from: Type, to: Type| {
            if from == to {
                return value;
            }
            let at = sequence.push("vector.shape_cast", &[value], &[to], Attr::EMPTY_PROPS);
            MlirValue::Result(at, 0)
        };
        let operands: Vec<MlirValue> = op
            .operand_types()
            .enumerate()
            .map(|(index, ty)| cast(&mut sequence, MlirValue::Operand(index), ty, flat(ty)))
            .collect();
        let results: Vec<Type> = op.result_types().map(flat).collect();
        let at = sequence.push(name, &operands, &results, props);
        for (index, ty) in op.result_types().enumerate() {
            let result = cast(&mut sequence, MlirValue::Result(at, index), flat(ty), ty);
            sequence.results.push(result);
        }
        Self::Sequence(sequence)
    }
}

/// The vector type of one dimension with the same elements; `None` for other types, and if it is scalable.
fn flattened(ctx: &Context, ty: Type) -> Option<Type> {
    let TypeData::Vector { shape, element, scalable } = ty.data(ctx) else { return None };
    (!scalable.contains(&true)).then(|| Type::vector(ctx, &[shape.iter().product()], *element))
}

/// A value in a [sequence](MlirSequence).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MlirValue {
    /// The operand with this number of the operation that the sequence is the equivalent of.
    Operand(usize),
    /// A result of an operation of the sequence: the position of the operation, and the number of the result.
    Result(usize, usize),
}

/// An operation of a [sequence](MlirSequence), without regions and successors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MlirOp {
    /// The name.
    pub name: String,
    /// The operands; results are those of earlier operations.
    pub operands: Vec<MlirValue>,
    /// The types of the results, which may be types of MLIR's dialects, as opaque types.
    pub results: Vec<Type>,
    /// The properties, or inherent attributes, as a dictionary.
    pub props: Attr,
}

/// Straight-line code in MLIR, which may depend on a condition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MlirSequence {
    /// The operations, in order.
    pub ops: Vec<MlirOp>,
    /// A condition of type `i1`, an operand: the operations are executed only if it is false. A sequence with a condition has no
    /// results.
    pub unless: Option<MlirValue>,
    /// The equivalents of the results.
    pub results: Vec<MlirValue>,
    /// Functions that the operations call and that are defined elsewhere, such as in the runtime: symbols and function types.
    pub functions: Vec<(String, Type)>,
}

impl MlirSequence {
    /// Appends an operation; returns its position.
    pub fn push(&mut self, name: &str, operands: &[MlirValue], results: &[Type], props: Attr) -> usize {
        let (name, operands, results) = (name.to_owned(), operands.to_vec(), results.to_vec());
        self.ops.push(MlirOp { name, operands, results, props });
        self.ops.len() - 1
    }

    /// Appends a call of a function that is defined elsewhere, by `func.call`; returns its position.
    pub fn call(
        &mut self,
        ctx: &Context,
        symbol: &str,
        operands: &[MlirValue],
        inputs: &[Type],
        results: &[Type],
    ) -> usize {
        self.functions.push((symbol.to_owned(), Type::function(ctx, inputs, results)));
        let props = Attr::dictionary(ctx, &[(ctx.name("callee"), Attr::symbol_ref(ctx, symbol))]);
        self.push("func.call", operands, results, props)
    }
}

/// The equivalents of a dialect's operations, types and attributes. Queried by the MLIR bridge, and by checks before
/// it. Default: no equivalent.
pub trait ToMlir: Send + Sync {
    /// The equivalent of an operation.
    fn operation(&self, op: OpRef<'_>) -> InMlir;

    /// The equivalent of a type of the dialect; `None` if there is none. Builtin types are their own equivalents.
    fn ty(&self, ctx: &Context, ty: Type) -> Option<Type> {
        let _ = (ctx, ty);
        None
    }

    /// The equivalent of an attribute of the dialect; `None` if there is none. Builtin attributes are their own
    /// equivalents.
    fn attr(&self, ctx: &Context, attr: Attr) -> Option<Attr> {
        let _ = (ctx, attr);
        None
    }
}
service!(dyn ToMlir, "ToMlir", Default(NotInMlir));

/// Implements the service for dialects that MLIR has under the same name, with the same assembly.
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

/// The default implementation: no equivalent.
pub struct NotInMlir;

impl ToMlir for NotInMlir {
    fn operation(&self, op: OpRef<'_>) -> InMlir {
        let (dialect, ctx) = (op.name().split_once('.').map_or("", |(dialect, _)| dialect), op.context());
        InMlir::Nothing(match ctx.dialect(dialect) {
            // `Lower` is declared by `minoan-rewrite`, which depends on this crate.
            Some(dialect) if dialect.services().any(|service| service.name == "Lower") => {
                format!("dialect '{}' must be lowered first", dialect.name())
            }
            Some(_) => format!("dialect '{dialect}' has no equivalent"),
            None => format!("dialect '{dialect}' is not loaded"),
        })
    }
}

impl dyn ToMlir {
    /// The equivalent of an operation in MLIR.
    pub fn of(op: OpRef<'_>) -> InMlir {
        op.context().service::<dyn ToMlir>(op.kind()).unwrap_or(&NotInMlir).operation(op)
    }

    /// The equivalent of a type in MLIR, excluding nested types. A type of a dialect that is not loaded is
    /// represented by its text, which MLIR may know.
    pub fn of_type(ctx: &Context, ty: Type) -> Option<Type> {
        let Some(dialect) = ty.dialect(ctx) else { return Some(ty) };
        match ctx.dialect(dialect) {
            Some(dialect) => dialect.service::<dyn ToMlir>()?.ty(ctx, ty),
            None => Some(ty),
        }
    }

    /// The equivalent of an attribute in MLIR, excluding nested attributes. An attribute of a dialect that is not
    /// loaded is represented by its text, which MLIR may know.
    pub fn of_attr(ctx: &Context, attr: Attr) -> Option<Attr> {
        let Some(dialect) = attr.dialect(ctx) else { return Some(attr) };
        match ctx.dialect(dialect) {
            Some(dialect) => dialect.service::<dyn ToMlir>()?.attr(ctx, attr),
            None => Some(attr),
        }
    }

    /// Diagnostics for everything in a module without an equivalent, including the module's own operation.
    pub fn refused(module: &Module) -> Diagnostics {
        let mut check = Check::new(module.context());
        check.op(module.holder().op(module.op()));
        check.inside(module.body());
        check.errors
    }

    /// Diagnostics for everything in a body without an equivalent, excluding nested bodies.
    pub fn refused_in(body: &Body) -> Diagnostics {
        let mut check = Check::new(body.context());
        check.body(body);
        check.errors
    }
}

/// Checks each type and each attribute once.
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
        let equivalent =
            self.table.and_then(|table| table.get(op.kind())).unwrap_or(&NotInMlir).operation(op);
        let (props, attrs) = match equivalent {
            InMlir::Same => (op.props(), op.attrs()),
            InMlir::As { props, attrs, .. } => (props, attrs),
            InMlir::Sequence(_) => (Attr::EMPTY_PROPS, Attr::EMPTY),
            InMlir::Nothing(why) => {
                return self.error(op, format!("'{}' op has no form in MLIR: {why}", op.name()));
            }
        };
        // The types of a nested body are checked from its own arena.
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

    /// The first nested type without an equivalent.
    fn wrong_type(&mut self, ty: Type) -> Option<Type> {
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let ctx = self.ctx;
        let wrong = minoan_ir::with_stack(|| match ty.data(ctx) {
            TypeData::Declared(_) | TypeData::Opaque { .. } => {
                <dyn ToMlir>::of_type(ctx, ty).is_none().then_some(ty)
            }
            TypeData::Function { inputs, results } => {
                inputs.iter().chain(results).find_map(|&ty| self.wrong_type(ty))
            }
            TypeData::Tuple(elements) => elements.iter().find_map(|&ty| self.wrong_type(ty)),
            _ => ty.element(ctx).and_then(|element| self.wrong_type(element)),
        });
        self.types.insert(ty, wrong);
        wrong
    }

    /// The error of the first part of an attribute without an equivalent.
    fn wrong_attr(&mut self, attr: Attr) -> Option<String> {
        if let Some(known) = self.attrs.get(&attr) {
            return known.clone();
        }
        let ctx = self.ctx;
        let wrong = minoan_ir::with_stack(|| match attr.data(ctx) {
            AttrData::Declared(_) | AttrData::Opaque { .. } | AttrData::Structured { .. } => {
                <dyn ToMlir>::of_attr(ctx, attr)
                    .is_none()
                    .then(|| format!("an attribute that MLIR does not know: '{}'", print_attr(ctx, attr)))
            }
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
