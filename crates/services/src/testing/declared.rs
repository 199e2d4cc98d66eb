//! Random generation of operations from their declarations.

use crate::{Generate, Maker};
use minoan_ir::verify::verify_op;
use minoan_ir::{
    Arity, Attr, AttrSyntax, Builder, Context, DataSpec, InferInput, Op, OpKind, OpSpec, OpState, Param,
    ParamKind, ParamSpec, Traits, Type, TypeConstraint, TypeOrAttr, Value, ValueSpec,
};

/// Converts a value to another one of the same type for which an operation is defined.
pub type Guard = fn(&mut Builder<'_>, &mut dyn Maker, Value) -> Option<Value>;

/// A predicate on types.
pub type TypeFilter = fn(&Context, Type) -> bool;

/// Generates operations from their declarations: operands whose types satisfy the constraints and are consistent,
/// enum keywords for attributes, and results whose types are inferred or satisfy their constraints. Operations that
/// do not verify are discarded.
///
/// This suits operations that are defined for all operands. For others, [`Declared::guarded`] restricts the values of
/// an operand, and [`Declared::operand`] and [`Declared::result`] restrict types. Operations that are terminators,
/// have regions, define symbols, or require an attribute other than an enum are not generated.
///
/// ```
/// use minoan_services::{Declared, Generate};
/// use std::sync::Arc;
/// /// Every operation of a dialect, but for one operand that must be positive.
/// fn services() -> [Arc<dyn Generate>; 2] {
///     [Arc::new(Declared::new()), Arc::new(Declared::new().guarded(1, |b, maker, _| maker.index_in(b, 1..8)))]
/// }
/// assert_eq!(services().len(), 2);
/// ```
#[derive(Clone, Default)]
pub struct Declared {
    weight: Option<usize>,
    types: Option<fn(&Context) -> Vec<Type>>,
    guards: Vec<(usize, Guard)>,
    operands: Vec<(usize, TypeFilter)>,
    results: Vec<(usize, TypeFilter)>,
    flags: bool,
}

impl Declared {
    /// Generates operations that are defined for all operands.
    pub fn new() -> Self {
        Self::default()
    }

    /// Never generates an operation; excludes it from a dialect's default.
    pub fn never() -> Self {
        Self { weight: Some(0), ..Self::default() }
    }

    /// Sets the relative frequency among the operations of the dialect.
    pub fn weight(mut self, weight: usize) -> Self {
        self.weight = Some(weight);
        self
    }

    /// With random flags: unit attributes, and sets of keywords. Only for operations whose flags have no effect other than to
    /// make results poison.
    pub fn flags(mut self) -> Self {
        self.flags = true;
        self
    }

    /// Sets the types of values that programs should contain.
    pub fn types(mut self, types: fn(&Context) -> Vec<Type>) -> Self {
        self.types = Some(types);
        self
    }

    /// Computes operand `index` from a value of its type.
    pub fn guarded(mut self, index: usize, guard: Guard) -> Self {
        self.guards.push((index, guard));
        self
    }

    /// Restricts the type of operand `index`.
    pub fn operand(mut self, index: usize, fits: TypeFilter) -> Self {
        self.operands.push((index, fits));
        self
    }

    /// Restricts the type of result `index`.
    pub fn result(mut self, index: usize, fits: TypeFilter) -> Self {
        self.results.push((index, fits));
        self
    }
}

/// Traits of operations whose declaration is insufficient.
const UNKNOWN: [Traits; 7] = [
    Traits::TERMINATOR,
    Traits::ISOLATED,
    Traits::CONSTANT_LIKE,
    Traits::SYMBOL,
    Traits::FUNCTION_LIKE,
    Traits::OPERAND_SEGMENTS,
    Traits::RESULT_SEGMENTS,
];

impl Generate for Declared {
    fn weight(&self, ctx: &Context, kind: OpKind) -> usize {
        let known = ctx.spec(kind).is_some_and(|spec| {
            let plain = spec.regions.is_empty() && spec.successors.is_empty();
            plain && UNKNOWN.iter().all(|&one| !spec.traits.has(one))
        });
        if known { self.weight.unwrap_or(1) } else { 0 }
    }

    fn types(&self, ctx: &Context) -> Vec<Type> {
        self.types.map_or_else(Vec::new, |types| types(ctx))
    }

    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let spec = ctx.spec(kind)?;
        let mut draft = Draft { spec, ctx: &ctx, names: Vec::new() };
        let operands = self.pick_operands(&mut draft, b, maker)?;
        let props = self.properties(&ctx, kind, spec, maker)?;
        let types: Vec<Type> = operands.iter().map(|&value| b.ty(value)).collect();
        let results = self.pick_results(&mut draft, &types, props, maker)?;
        let op = b.create(OpState::new(kind).operands(&operands).props(props).results(&results));
        if verify_op(b.body(), op).is_err() {
            b.body_mut().erase(op);
            return None;
        }
        Some(op)
    }
}

impl Declared {
    fn pick_operands(
        &self,
        draft: &mut Draft<'_>,
        b: &mut Builder<'_>,
        maker: &mut dyn Maker,
    ) -> Option<Vec<Value>> {
        let mut operands = Vec::new();
        for declared in draft.spec.operands {
            let count = match declared.arity {
                Arity::One => 1,
                Arity::Optional => maker.below(2),
                Arity::Variadic => maker.below(4),
            };
            for _ in 0..count {
                let index = operands.len();
                let fits = |ty: Type| {
                    draft.operand_fits(declared, ty) && allows(&self.operands, index, draft.ctx, ty)
                };
                let related = operands.last().and_then(|&last| related(b, maker, last, &fits));
                let value = related.or_else(|| maker.existing(b, &fits)).or_else(|| {
                    let ty =
                        maker.ty(&fits).or(declared.constraint.only(draft.ctx).filter(|&only| fits(only)))?;
                    maker.value(b, ty)
                })?;
                draft.names.push((declared.name, b.ty(value)));
                operands.push(value);
            }
        }
        for &(index, guard) in &self.guards {
            operands[index] = guard(b, maker, operands[index])?;
        }
        Some(operands)
    }

    fn pick_results(
        &self,
        draft: &mut Draft<'_>,
        operands: &[Type],
        props: Attr,
        maker: &mut dyn Maker,
    ) -> Option<Vec<Type>> {
        if let Some(types) = draft.spec.infer_types(&InferInput { ctx: draft.ctx, operands, props }) {
            let types = types.ok()?;
            let allowed = |(index, &ty): (usize, &Type)| allows(&self.results, index, draft.ctx, ty);
            return types.iter().enumerate().all(allowed).then_some(types);
        }
        let mut types = Vec::new();
        for declared in draft.spec.results {
            let index = types.len();
            let fits = |ty: Type| {
                declared.constraint.holds(draft.ctx, ty) && allows(&self.results, index, draft.ctx, ty)
            };
            let ty = match draft.known(declared.name, declared.constraint) {
                Some(ty) => ty,
                None => draft.free(operands.first().copied(), &fits, maker)?,
            };
            if !fits(ty) || declared.arity != Arity::One {
                return None;
            }
            draft.names.push((declared.name, ty));
            types.push(ty);
        }
        Some(types)
    }
}

/// With probability 1/4, an operand of the operation that defines `value`, if one has the right type, so that random modules
/// contain matches of folds and patterns over two operations, such as `(a - b) + b`.
fn related(
    b: &Builder<'_>,
    maker: &mut dyn Maker,
    value: Value,
    fits: &dyn Fn(Type) -> bool,
) -> Option<Value> {
    let body = b.body();
    let producer = body.op(body.defining_op(value)?);
    let fitting: Vec<Value> = producer.operands().filter(|&operand| fits(b.ty(operand))).collect();
    if fitting.is_empty() || maker.below(4) > 0 {
        return None;
    }
    Some(fitting[maker.below(fitting.len())])
}

fn allows(filters: &[(usize, TypeFilter)], index: usize, ctx: &Context, ty: Type) -> bool {
    filters.iter().all(|&(at, fits)| at != index || fits(ctx, ty))
}

/// An operation with partially chosen types.
struct Draft<'a> {
    spec: &'static OpSpec,
    ctx: &'a Context,
    /// The types of operands and results by name, in order.
    names: Vec<(&'static str, Type)>,
}

impl Draft<'_> {
    fn named(&self, name: &str) -> Option<Type> {
        self.names.iter().find(|(known, _)| *known == name).map(|&(_, ty)| ty)
    }

    /// The inferred type of an operand or result.
    fn known(&self, name: &str, constraint: &TypeConstraint) -> Option<Type> {
        let group = self.spec.same_types.iter().filter(|group| group.contains(&name));
        let equal = group.flat_map(|group| group.iter()).find_map(|other| self.named(other));
        let derived = || {
            let rules = self.spec.derived.iter().filter(|derived| derived.target == name);
            rules.into_iter().find_map(|derived| (derived.rule)(self.ctx, self.named(derived.source)?))
        };
        let first = || {
            let same = [Traits::SAME_OPERANDS, Traits::SAME_OPERANDS_AND_RESULT]
                .map(|one| self.spec.traits.has(one));
            let is_result = self.spec.results.iter().any(|result| result.name == name);
            let follows = if is_result { same[1] } else { same[0] || same[1] };
            self.names.first().filter(|_| follows).map(|&(_, ty)| ty)
        };
        equal.or_else(derived).or_else(first).or_else(|| constraint.only(self.ctx))
    }

    fn operand_fits(&self, declared: &ValueSpec, ty: Type) -> bool {
        let goes_together = match (self.known(declared.name, declared.constraint), self.names.first()) {
            (Some(known), _) => known == ty,
            (None, Some(&(_, first))) if self.shapes_agree() => same_shape(self.ctx, first, ty),
            _ => true,
        };
        goes_together && declared.constraint.holds(self.ctx, ty)
    }

    fn shapes_agree(&self) -> bool {
        self.spec.traits.has(Traits::ELEMENTWISE) || self.spec.traits.has(Traits::SAME_SHAPE)
    }

    /// A result type that is not inferred: with the shape of the first operand if the operation is elementwise.
    fn free(&self, first: Option<Type>, fits: &dyn Fn(Type) -> bool, maker: &mut dyn Maker) -> Option<Type> {
        let Some(first) = first.filter(|first| self.shapes_agree() && first.element(self.ctx).is_some())
        else {
            return maker.ty(fits);
        };
        let shaped = |element: Type| {
            first.with_element(self.ctx, element).filter(|_| element.element(self.ctx).is_none())
        };
        maker.ty(&|element| shaped(element).is_some_and(fits)).and_then(shaped)
    }
}

/// Whether types differ only in their element types.
fn same_shape(ctx: &Context, a: Type, b: Type) -> bool {
    match (a.element(ctx), b.element(ctx)) {
        (None, None) => true,
        (Some(element), Some(_)) => b.with_element(ctx, element) == Some(a),
        _ => false,
    }
}

impl Declared {
    /// The defaults of attributes, random flags, and any keyword where one is needed.
    fn properties(&self, ctx: &Context, kind: OpKind, spec: &OpSpec, maker: &mut dyn Maker) -> Option<Attr> {
        let info = ctx.info(kind)?;
        let mut entries = Vec::new();
        for (index, declared) in spec.attrs.iter().enumerate() {
            let flag = if self.flags { flag(ctx, declared.constraint.syntax, maker) } else { None };
            let value = match flag.or_else(|| info.default_attr(ctx, index)) {
                Some(known) => known,
                None if declared.optional => continue,
                None => keyword(ctx, declared.constraint.syntax, maker)?,
            };
            if !(declared.constraint.check)(ctx, value) {
                return None;
            }
            entries.push((ctx.name(declared.name), value));
        }
        Some(if entries.is_empty() { Attr::EMPTY } else { Attr::dictionary(ctx, &entries) })
    }
}

/// One time in four, a unit attribute or a non-empty set of keywords.
fn flag(ctx: &Context, syntax: AttrSyntax, maker: &mut dyn Maker) -> Option<Attr> {
    let is_flag = match syntax {
        AttrSyntax::Unit => true,
        AttrSyntax::Declared(spec) => {
            matches!(spec.params, [ParamSpec { kind: ParamKind::Flags(_), .. }])
        }
        _ => false,
    };
    if !is_flag || maker.below(4) > 0 {
        return None;
    }
    match syntax {
        AttrSyntax::Declared(spec) => random_attr(ctx, spec, maker),
        _ => Some(Attr::UNIT),
    }
}

/// Any keyword of an enumeration, or a declared attribute.
fn keyword(ctx: &Context, syntax: AttrSyntax, maker: &mut dyn Maker) -> Option<Attr> {
    match syntax {
        AttrSyntax::EnumInteger(ty, cases) => Some(Attr::integer(ctx, cases[maker.below(cases.len())].1, ty)),
        AttrSyntax::Declared(spec) => random_attr(ctx, spec, maker),
        _ => None,
    }
}

/// A declared attribute with random parameters; `None` if a parameter is of a kind without random values, or the
/// verifier rejects them.
fn random_attr(ctx: &Context, spec: &'static DataSpec, maker: &mut dyn Maker) -> Option<Attr> {
    let params: Option<Vec<Param>> =
        spec.params.iter().map(|param| random_param(ctx, &param.kind, maker)).collect();
    match minoan_ir::generated::data(ctx, spec, params?.into()).ok()? {
        TypeOrAttr::Attr(attr) => Some(attr),
        TypeOrAttr::Type(_) => None,
    }
}

fn random_param(ctx: &Context, kind: &ParamKind, maker: &mut dyn Maker) -> Option<Param> {
    Some(match kind {
        ParamKind::Bool => Param::Int(maker.below(2) as i64),
        ParamKind::Int { .. } => Param::Int(maker.below(8) as i64),
        ParamKind::Enum(cases) => Param::Int(cases.cases[maker.below(cases.cases.len())].1),
        ParamKind::Flags(cases) => {
            let chosen = cases.cases.iter().filter(|_| maker.below(2) == 0);
            Param::Int(chosen.fold(0, |bits, case| bits | case.1))
        }
        ParamKind::Optional(_) => Param::Absent,
        ParamKind::Array(element) => {
            let elements = (0..maker.below(3)).map(|_| random_param(ctx, element, maker));
            Param::Array(elements.collect::<Option<_>>()?)
        }
        ParamKind::Declared(spec) if !spec.is_type => Param::Attr(random_attr(ctx, spec, maker)?),
        _ => return None,
    })
}
