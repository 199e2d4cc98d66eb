//! Operations of the loaded dialects, created from their declarations; most are valid.

use super::Maker;
use minoan::ir::verify::verify_op;
use minoan::ir::{
    Arity, Attr, AttrSpec, AttrSyntax, Block, Builder, Context, DataSpec, InferInput, OpKind, OpSpec,
    OpState, ParamKind, ParamSpec, Traits, Type, TypeConstraint, Value, ValueSpec,
};
use std::collections::HashMap;

/// Types that operations require.
const TYPES: [&str; 26] = [
    "i1",
    "i8",
    "i32",
    "i64",
    "index",
    "f32",
    "f64",
    "bf16",
    "none",
    "complex<f32>",
    "tensor<f32>",
    "tensor<4xf32>",
    "tensor<?x3xf32>",
    "tensor<2x3xi64>",
    "tensor<4xindex>",
    "tensor<*xf32>",
    "tensor<4xi1>",
    "memref<f32>",
    "memref<4xf32>",
    "memref<?x3xi8>",
    "memref<16xi8>",
    "memref<*xf32>",
    "memref<?x?xf32, strided<[?, 1], offset: ?>>",
    "vector<4xf32>",
    "vector<2x[4]xi32>",
    "vector<4xi1>",
];

/// Attributes that operations require.
const ATTRS: [&str; 16] = [
    "unit",
    "false",
    "1 : i32",
    "16 : i64",
    "2 : index",
    "\"text\"",
    "@f",
    "@f::@g",
    "i64",
    "(i64) -> f32",
    "[[0 : i64], [1 : i64]]",
    "[{}]",
    "affine_map<(d0) -> (d0)>",
    "[affine_map<(d0, d1) -> (d1)>]",
    "array<i64: 0, 1>",
    "dense<1.0> : tensor<4xf32>",
];

/// The alternatives.
pub(super) struct Choosable {
    kinds: Vec<OpKind>,
    /// Terminators.
    ends: Vec<OpKind>,
    types: Vec<Type>,
    attrs: Vec<Attr>,
}

impl Choosable {
    pub(super) fn of(ctx: &Context) -> Self {
        let kinds: Vec<OpKind> = ctx.registered_kinds().collect();
        let ends = |kind: &OpKind| ctx.info(*kind).is_some_and(|info| info.traits.has(Traits::TERMINATOR));
        let ty = |text| super::parse_type(ctx, text).expect("a type of the list");
        let attr = |text| super::parse_attr(ctx, text).expect("an attribute of the list");
        Self {
            ends: kinds.iter().copied().filter(ends).collect(),
            kinds,
            types: TYPES.map(ty).to_vec(),
            attrs: ATTRS.map(attr).to_vec(),
        }
    }
}

/// The choices for the names of an operation's values.
#[derive(Default)]
struct Chosen {
    /// Types by the name of an operand or result, and the types equal to them.
    types: HashMap<&'static str, Type>,
    all: Option<Type>,
}

impl Maker<'_> {
    /// Creates a declared operation, with regions if `depth` permits.
    pub(super) fn registered(&mut self, b: &mut Builder<'_>, visible: &mut Vec<Value>, depth: usize) {
        let choosable = self.choosable.clone();
        let kind = self.pick(&choosable.kinds);
        if let Some(spec) = self.ctx.spec(kind).filter(|spec| spec.regions.is_empty() || depth > 0) {
            self.declared(b, kind, spec, &[], visible, depth);
        }
    }

    /// Creates a declared terminator.
    pub(super) fn registered_end(&mut self, b: &mut Builder<'_>, blocks: &[Block], visible: &[Value]) {
        let choosable = self.choosable.clone();
        let kind = self.pick(&choosable.ends);
        let spec = self.ctx.spec(kind).expect("it is declared");
        self.declared(b, kind, spec, blocks, &mut visible.to_vec(), 0);
    }

    fn declared(
        &mut self,
        b: &mut Builder<'_>,
        kind: OpKind,
        spec: &'static OpSpec,
        blocks: &[Block],
        visible: &mut Vec<Value>,
        depth: usize,
    ) {
        let mut chosen = Chosen::default();
        let (mut operands, mut results) = (Vec::new(), Vec::new());
        let (mut operand_sizes, mut result_sizes) = (Vec::new(), Vec::new());
        for value in spec.operands {
            let count = self.count(value.arity);
            operand_sizes.push(count as i32);
            for _ in 0..count {
                let ty = self.type_for(spec, value, &mut chosen);
                operands.push(self.value_of(b, visible, ty, value.constraint));
            }
        }
        for value in spec.results {
            let count = self.count(value.arity);
            result_sizes.push(count as i32);
            for _ in 0..count {
                results.push(self.type_for(spec, value, &mut chosen));
            }
        }
        let ctx = self.ctx.clone();
        let (mut props, no) = (Vec::new(), Attr::bool(false));
        for attr in spec.attrs {
            if attr.optional && !self.rarely(3) {
                continue;
            }
            let value = self.attr_for(attr);
            // Custom forms omit an optional attribute that is false, as in MLIR, and the parser does not supply it.
            if !(attr.optional && value == no) {
                props.push((ctx.name(attr.name), value));
            }
        }
        for (has, name, sizes) in [
            (Traits::OPERAND_SEGMENTS, "operandSegmentSizes", &operand_sizes),
            (Traits::RESULT_SEGMENTS, "resultSegmentSizes", &result_sizes),
        ] {
            if spec.traits.has(has) {
                props.push((ctx.name(name), Attr::dense_i32(&ctx, sizes)));
            }
        }
        if self.wrong && self.rarely(8) {
            // The parser always supplies an attribute with a default.
            let missing = spec.attrs.iter().rev().find(|attr| attr.default.is_none());
            props.retain(|(name, _)| missing.is_none_or(|attr| name.as_str(&ctx) != attr.name));
            operands.pop();
        }
        let props = Attr::dictionary(&ctx, &props);
        if let Some(infer) = spec.infer {
            let types: Vec<Type> = operands.iter().map(|&value| b.ty(value)).collect();
            let inferred = infer(&InferInput { ctx: &ctx, operands: &types, props });
            results = inferred.unwrap_or(results);
        }
        let attrs = if self.rarely(4) { self.dictionary(1) } else { Attr::EMPTY };
        let mut regions = spec.regions.iter().filter(|region| !region.variadic).count();
        if spec.regions.iter().any(|region| region.variadic) || self.wrong && self.rarely(16) {
            regions += self.below(3);
        }
        let to: Vec<Block> = match blocks.is_empty() {
            true => Vec::new(),
            false => spec.successors.iter().map(|_| self.pick(blocks)).collect(),
        };
        let state = OpState::new(kind).operands(&operands).results(&results).props(props).attrs(attrs);
        let op = b.create(state.successors(&to).regions(regions));
        let isolated = spec.traits.has(Traits::ISOLATED);
        for index in 0..regions {
            let args = self.some(3, |this| this.a_type(None));
            match b.body_mut().nested_mut(op).filter(|_| isolated) {
                Some(inside) => {
                    let root = inside.root(index);
                    let entry = inside.add_block(root, &args);
                    let mut seen: Vec<Value> = inside.block(entry).args().collect();
                    let mut within = Builder::at_end(inside, entry);
                    self.ops(&mut within, &mut seen, depth.saturating_sub(1));
                    self.end_region(&mut within, spec, &seen);
                }
                None if !isolated => {
                    let (entry, back) = b.enter(op, index, &args);
                    let mut seen = visible.clone();
                    seen.extend(b.body().block(entry).args());
                    self.ops(b, &mut seen, depth.saturating_sub(1));
                    self.end_region(b, spec, &seen);
                    b.set_insertion_point(back);
                }
                None => {}
            }
        }
        // Erases operations that violate a rule of their own; otherwise large modules would hardly ever be valid.
        if !self.wrong && verify_op(b.body(), op).is_err() {
            b.body_mut().try_erase(op).expect("nothing uses it yet");
        } else {
            visible.extend(b.body().op(op).results());
        }
    }

    /// Creates the terminator that the regions of an operation require, or any.
    fn end_region(&mut self, b: &mut Builder<'_>, spec: &OpSpec, visible: &[Value]) {
        let ctx = self.ctx.clone();
        if spec.traits.has(Traits::NO_TERMINATOR) {
            return;
        }
        let name = match spec.terminator {
            Some(name) => name,
            None if self.rarely(2) => return self.registered_end(b, &[], visible),
            None => "d.end",
        };
        let operands =
            if self.rarely(3) && !visible.is_empty() { vec![self.pick(visible)] } else { Vec::new() };
        b.create(OpState::named(&ctx, name).operands(&operands));
    }

    fn count(&mut self, arity: Arity) -> usize {
        match arity {
            Arity::One if self.wrong && self.rarely(16) => self.below(3),
            Arity::One => 1,
            Arity::Optional => self.below(2),
            Arity::Variadic => self.below(4),
        }
    }

    /// Chooses a listed type that satisfies a constraint.
    fn a_type(&mut self, constraint: Option<&TypeConstraint>) -> Type {
        let ctx = self.ctx.clone();
        if self.wrong && self.rarely(16) {
            return self.ty(2);
        }
        let fits = |ty: &Type| constraint.is_none_or(|constraint| constraint.holds(&ctx, *ty));
        let fitting: Vec<Type> = self.choosable.types.iter().copied().filter(fits).collect();
        match constraint.and_then(|constraint| constraint.only(&ctx)) {
            Some(only) => only,
            None if fitting.is_empty() => self.ty(1),
            None => self.pick(&fitting),
        }
    }

    fn type_for(&mut self, spec: &OpSpec, value: &ValueSpec, chosen: &mut Chosen) -> Type {
        let group = spec.same_types.iter().find(|group| group.contains(&value.name));
        let known = group.and_then(|group| group.iter().find_map(|name| chosen.types.get(name)));
        let same = [
            Traits::SAME_OPERANDS,
            Traits::SAME_OPERANDS_AND_RESULT,
            Traits::SAME_SHAPE,
            Traits::ELEMENTWISE,
        ];
        let all = chosen.all.filter(|ty| {
            same.iter().any(|one| spec.traits.has(*one)) && value.constraint.holds(&self.ctx, *ty)
        });
        let derived = spec.derived.iter().find(|derived| derived.target == value.name);
        let derived = derived.and_then(|derived| {
            chosen.types.get(derived.source).and_then(|source| (derived.rule)(&self.ctx, *source))
        });
        let ty = match derived.or(known.copied()).or(all) {
            Some(ty) => ty,
            None => self.a_type(Some(value.constraint)),
        };
        chosen.types.entry(value.name).or_insert(ty);
        chosen.all.get_or_insert(ty);
        ty
    }

    /// Chooses or creates a value of a type; occasionally of another type that satisfies the constraint.
    fn value_of(
        &mut self,
        b: &mut Builder<'_>,
        visible: &mut Vec<Value>,
        ty: Type,
        constraint: &TypeConstraint,
    ) -> Value {
        let any = self.rarely(8);
        let fits = |value: &Value| {
            let have = b.ty(*value);
            have == ty || any && constraint.holds(&self.ctx, have)
        };
        let fitting: Vec<Value> = visible.iter().copied().filter(fits).collect();
        if !fitting.is_empty() {
            return self.pick(&fitting);
        }
        let op = b.create(OpState::named(&self.ctx, "d.make").results(&[ty]));
        let value = b.body().op(op).result(0);
        visible.push(value);
        value
    }

    /// A declared attribute with a random keyword; `None` if it has other parameters.
    fn keyword_attr(&mut self, spec: &DataSpec) -> Option<Attr> {
        let [ParamSpec { kind: ParamKind::Enum(cases) | ParamKind::Flags(cases), .. }] = spec.params else {
            return None;
        };
        let keyword = self.pick(cases.cases).0;
        super::parse_attr(&self.ctx, &format!("#{}<{keyword}>", spec.name())).ok()
    }

    fn attr_for(&mut self, spec: &AttrSpec) -> Attr {
        let ctx = self.ctx.clone();
        if let Some(default) = spec.default.filter(|_| self.rarely(2)) {
            return super::parse_attr(&ctx, &default.text(&ctx)).expect("a default");
        }
        let attr = match spec.constraint.syntax {
            AttrSyntax::Any => None,
            AttrSyntax::Typed(ty) => Some(Attr::integer(&ctx, self.pick(&[1i64, 0, 16, -1, 4]), ty)),
            AttrSyntax::SymbolName => Some(Attr::string(&ctx, self.pick(&["f", "g", "a b"]))),
            AttrSyntax::SymbolRef => Some(Attr::symbol_ref(&ctx, self.pick(&["f", "g", "a b"]))),
            AttrSyntax::Type => Some(Attr::ty(&ctx, self.ty(2))),
            AttrSyntax::Unit => Some(Attr::UNIT),
            AttrSyntax::EnumInteger(ty, cases) => Some(Attr::integer(&ctx, self.pick(cases).1, ty)),
            AttrSyntax::Declared(spec) => self.keyword_attr(spec),
            AttrSyntax::DenseArray(ty) if ty == Type::I64 => {
                let values = self.some(4, |this| this.pick(&[0i64, 1, 4, i64::MIN, -1]));
                Some(Attr::dense_i64(&ctx, &values))
            }
            AttrSyntax::DenseArray(_) => {
                let values = self.some(4, |this| this.below(4) as i32);
                Some(Attr::dense_i32(&ctx, &values))
            }
        };
        let fits = |attr: &Attr| (spec.constraint.check)(&ctx, *attr);
        if let Some(attr) = attr.filter(|attr| self.wrong || fits(attr)) {
            return attr;
        }
        let fitting: Vec<Attr> = self.choosable.attrs.iter().copied().filter(fits).collect();
        if fitting.is_empty() || self.wrong && self.rarely(8) { self.attr(2) } else { self.pick(&fitting) }
    }
}
