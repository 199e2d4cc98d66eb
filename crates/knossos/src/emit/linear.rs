//! Linear maps.
//!
//! A linear map is represented by its application: its structure is known at compile time ([`Map`]), and the values that it
//! depends on are an ordinary value at run time, its *residual*. So functions that take or return linear maps are inlined, an
//! application is emitted as code, and no linear map remains in the module. `[D f]` at `x` has `x` as its residual; applying it
//! requests the forward or the reverse derivative of `f`.

use super::expr::Scope;
use crate::ast::{Derivation, ExprId};
use crate::prims::Prim;
use crate::typed::{Callee, DefId, FnRef, TypedKind, VarId};
use crate::types::Type as Source;
use minoan_frontend::with_stack;
use minoan_ir::{Attr, Builder, Context, InsertionPoint, Name, OpDef, Type, Value};
use minoan_knossos_dialect as ks;
use std::rc::Rc;

/// The maximum depth of inlined functions that take or return linear maps.
const MAX_INLINED: u32 = 100;

/// The form of a linear map from the tangents of `from` to those of `to`, or of a value with linear maps in it.
#[derive(Clone, Debug)]
pub(super) enum Map {
    /// A value without linear maps.
    Plain,
    /// A tuple of values.
    Tuple(Rc<[Map]>),
    /// A tensor of values.
    Tensor(Rc<Map>),
    /// The zero map; residual: a value of the source, and a value of the target.
    Zero,
    /// The identity; no residual.
    One,
    /// Multiplication by a number, the residual.
    Scale,
    /// From a number to the multiple of a value, the residual.
    ScaleR,
    /// The inner product with a value, the residual.
    Dot,
    /// The derivative of a function at a point, the residual.
    Derivative { callee: Name, params: usize, fwd: Type, rev: Type },
    /// The first after the second.
    Compose(Rc<[Map; 2]>),
    /// The sum of two maps.
    Add(Rc<[Map; 2]>),
    /// From tuples: the sum of the maps of the components.
    HCat(Rc<[Map]>),
    /// To tuples: a map for each component.
    VCat(Rc<[Map]>),
    /// From tensors: the sum of the maps of the elements; residual: a tensor of residuals.
    HCatV(Rc<Map>),
    /// To tensors: a map for each element.
    VCatV(Rc<Map>),
    /// A fold, with the map of a step; residual: the zero tangent of the free variables, and a vector of residuals.
    Fold(Rc<Map>),
    /// One of two maps; residual: the condition, and both residuals, one of which is arbitrary.
    If(Rc<[Map; 2]>),
}

/// The direction in which a linear map is applied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Transposed,
}

impl Direction {
    /// The mode of the derivative that applies the linear map, as operations and attributes of the dialect name it.
    pub(super) fn mode(self) -> &'static str {
        match self {
            Direction::Forward => "fwd",
            Direction::Transposed => "rev",
        }
    }
}

impl<'a> Scope<'_, 'a> {
    /// Whether an expression is a linear map, or has one in it.
    pub(super) fn is_linear(&self, id: ExprId) -> bool {
        let program = self.emitter.program;
        program.types.has_linear_map(program.ty(id))
    }

    /// Emits an expression with linear maps: its form and its residual.
    pub(super) fn linear(&mut self, b: &mut Builder<'_>, id: ExprId) -> Option<(Map, Value)> {
        if !self.is_linear(id) {
            return Some((Map::Plain, self.expr(b, id)?));
        }
        let outside = b.set_loc(self.emitter.loc(self.span(id)));
        let made = with_stack(|| self.linear_at(b, id));
        b.set_loc(outside);
        made
    }

    fn linear_at(&mut self, b: &mut Builder<'_>, id: ExprId) -> Option<(Map, Value)> {
        let program = self.emitter.program;
        match &program.expr(id).kind {
            TypedKind::Var(var) => Some((self.maps.get(var)?.clone(), *self.values.get(var)?)),
            TypedKind::Let { bindings, body } => {
                for binding in bindings {
                    self.bind(b, binding);
                }
                self.linear(b, *body)
            }
            &TypedKind::Assert { condition, body } => {
                let condition = self.expr(b, condition)?;
                ks::Assert::build(b, condition);
                self.linear(b, body)
            }
            TypedKind::Tuple(parts) => {
                let (maps, values) = self.linears(b, parts)?;
                Some((Map::Tuple(maps.into()), self.tuple(b, &values)))
            }
            &TypedKind::If { condition, then, otherwise } => self.linear_if(b, condition, then, otherwise),
            TypedKind::Call { callee, args } => self.linear_call(b, id, *callee, args),
            _ => self.no_map(id),
        }
    }

    fn no_map<T>(&mut self, id: ExprId) -> Option<T> {
        self.emitter.unsupported(self.span(id), "a linear map of this form");
        None
    }

    fn linears(&mut self, b: &mut Builder<'_>, ids: &[ExprId]) -> Option<(Vec<Map>, Vec<Value>)> {
        let made: Vec<Option<(Map, Value)>> = ids.iter().map(|&id| self.linear(b, id)).collect();
        let made: Option<Vec<(Map, Value)>> = made.into_iter().collect();
        Some(made?.into_iter().unzip())
    }

    /// Each branch computes its own residual, and takes an arbitrary one for the other.
    fn linear_if(
        &mut self,
        b: &mut Builder<'_>,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> Option<(Map, Value)> {
        let condition = self.expr(b, condition)?;
        let op = ks::If::build(b, condition, Type::NONE);
        let mut branches = Vec::new();
        for (region, branch) in [then, otherwise].into_iter().enumerate() {
            let (block, outside) = b.enter(op.op(), region, &[]);
            let made = self.linear(b, branch);
            b.set_insertion_point(outside);
            branches.push((block, made));
        }
        let outside = b.insertion_point();
        let [(first_block, Some((first, value))), (second_block, Some((second, other)))] = &branches[..]
        else {
            return None;
        };
        let (value, other) = (*value, *other);
        let types = [b.ty(value), b.ty(other)];
        b.set_insertion_point(InsertionPoint::End(*first_block));
        let unused = ks::Dummy::build(b, types[1]).result(b.body());
        let pair = self.tuple(b, &[value, unused]);
        ks::Yield::build(b, pair);
        b.set_insertion_point(InsertionPoint::End(*second_block));
        let unused = ks::Dummy::build(b, types[0]).result(b.body());
        let pair = self.tuple(b, &[unused, other]);
        ks::Yield::build(b, pair);
        b.set_insertion_point(outside);
        let chosen = op.result(b.body());
        let both = Type::tuple(self.emitter.ctx, &types);
        b.body_mut().set_type(chosen, both);
        let maps = Rc::new([first.clone(), second.clone()]);
        Some((Map::If(maps), self.tuple(b, &[condition, chosen])))
    }

    fn linear_call(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        callee: Callee,
        args: &[ExprId],
    ) -> Option<(Map, Value)> {
        match callee {
            Callee::User(def) => self.inline(b, id, def, args),
            Callee::Edef(edef) => match self.emitter.program.edef(edef).definition {
                Some(def) => self.inline(b, id, def, args),
                None => self.no_map(id),
            },
            Callee::Gdef(gdef) if self.emitter.program.gdef(gdef).derivation() == Derivation::D => {
                let values = self.exprs(b, args)?;
                let point = match values[..] {
                    [point] => point,
                    _ => self.tuple(b, &values),
                };
                let symbol = self.emitter.symbols.get(&FnRef::Gdef(gdef))?.clone();
                let callee = self.emitter.primal_symbol(gdef, &symbol)?;
                let program = self.emitter.program;
                let Source::LinearMap(_, to) = *program.types.get(program.gdef(gdef).result) else {
                    return None;
                };
                let span = self.span(id);
                let to = self.emitter.ty(to, span)?;
                let ctx = self.emitter.ctx;
                let map = Map::Derivative {
                    callee: ctx.name(&callee),
                    params: self.derived_parameters(gdef),
                    fwd: tangent_type(ctx, to),
                    rev: tangent_type(ctx, b.ty(point)),
                };
                Some((map, point))
            }
            Callee::Prim(prim) => self.linear_prim(b, id, prim, args),
            Callee::Lambda(var) => {
                let (maps, values) = self.linears(b, args)?;
                let lambda = self.lambda(self.emitter.program.var(var).lambda?)?;
                self.bind_params(b, &lambda.params, maps, values);
                self.linear(b, lambda.body)
            }
            _ => self.no_map(id),
        }
    }

    /// Binds parameters to an argument given as operands.
    fn bind_params(&mut self, b: &mut Builder<'_>, params: &[VarId], maps: Vec<Map>, values: Vec<Value>) {
        let (maps, values) = match (params.len(), maps.len()) {
            (1, 1) => (maps, values),
            (1, _) => (vec![Map::Tuple(maps.into())], vec![self.tuple(b, &values)]),
            (count, 1) => {
                let parts = self.parts(b, values[0]);
                let maps = match &maps[0] {
                    Map::Tuple(maps) => maps.to_vec(),
                    _ => vec![Map::Plain; count],
                };
                (maps, parts)
            }
            _ => (maps, values),
        };
        self.values.extend(params.iter().copied().zip(values));
        self.maps.extend(params.iter().copied().zip(maps));
    }

    /// Inlines a call of a function that takes or returns linear maps.
    pub(super) fn inline(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        def: DefId,
        args: &[ExprId],
    ) -> Option<(Map, Value)> {
        let (maps, values) = self.linears(b, args)?;
        let program = self.emitter.program;
        if self.emitter.inlined >= MAX_INLINED {
            self.emitter.unsupported(self.span(id), "a recursive function of linear maps");
            return None;
        }
        self.emitter.inlined += 1;
        self.bind_params(b, &program.def(def).params, maps, values);
        let made = self.linear(b, program.def(def).body);
        self.emitter.inlined -= 1;
        made
    }

    fn linear_prim(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        prim: Prim,
        args: &[ExprId],
    ) -> Option<(Map, Value)> {
        if matches!(prim, Prim::Build | Prim::LmBuild | Prim::LmBuildT) {
            let (size, lambda) = (self.expr(b, *args.first()?)?, self.lambda(*args.get(1)?)?);
            let sizes = self.sizes(b, size);
            let mut map = None;
            let made = ks::Build::with(b, &sizes, |b, indices| {
                let values = self.spread(b, indices, lambda.params.len());
                self.values.extend(lambda.params.iter().copied().zip(values));
                let (element, value) = self.linear(b, lambda.body)?;
                map = Some(element);
                Some(value)
            })?;
            let map = Rc::new(map?);
            return Some(match prim {
                Prim::LmBuild => (Map::VCatV(map), made),
                Prim::LmBuildT => (Map::HCatV(map), made),
                _ => (Map::Tensor(map), made),
            });
        }
        if prim == Prim::LmFold {
            return self.linear_fold(b, args);
        }
        let (maps, values) = self.linears(b, args)?;
        let pair = |maps: &[Map]| Rc::new([maps[0].clone(), maps[1].clone()]);
        Some(match (prim, &maps[..], &values[..]) {
            (Prim::Get { index, .. }, [Map::Tuple(maps)], &[tuple]) => {
                let index = (index as usize).checked_sub(1)?;
                (maps.get(index)?.clone(), self.get(b, tuple, index))
            }
            (Prim::Index, [_, Map::Tensor(map)], &[index, tensor]) => {
                let indices = self.sizes(b, index);
                ((**map).clone(), ks::Index::build(b, tensor, &indices).result(b.body()))
            }
            (Prim::Inline | Prim::CopyDown, [map], &[value]) => (map.clone(), value),
            (Prim::LmZero, [_, _], [_, _]) => (Map::Zero, self.tuple(b, &values)),
            (Prim::LmOne, ..) => (Map::One, self.tuple(b, &[])),
            (Prim::LmScale, [.., _], &[.., factor]) => (Map::Scale, factor),
            (Prim::LmScaleR, [_], &[value]) => (Map::ScaleR, tangent_of(b, value)),
            (Prim::LmDot, [_], &[value]) => (Map::Dot, tangent_of(b, value)),
            (Prim::LmCompose, [_, _], _) => (Map::Compose(pair(&maps)), self.tuple(b, &values)),
            (Prim::LmAdd, [_, _], _) => (Map::Add(pair(&maps)), self.tuple(b, &values)),
            (Prim::LmHCat, ..) => (Map::HCat(maps.into()), self.tuple(b, &values)),
            (Prim::LmVCat, ..) => (Map::VCat(maps.into()), self.tuple(b, &values)),
            (Prim::LmHCatV, [Map::Tensor(map)], &[value]) => (Map::HCatV(map.clone()), value),
            (Prim::LmVCatV, [Map::Tensor(map)], &[value]) => (Map::VCatV(map.clone()), value),
            _ => return self.no_map(id),
        })
    }

    /// Emits `lmApply` or `lmApplyR`.
    pub(super) fn apply_linear(
        &mut self,
        b: &mut Builder<'_>,
        direction: Direction,
        map: ExprId,
        value: ExprId,
    ) -> Option<Value> {
        let ((map, residual), value) = if direction == Direction::Forward {
            let map = self.linear(b, map)?;
            (map, self.expr(b, value)?)
        } else {
            let value = self.expr(b, value)?;
            (self.linear(b, map)?, value)
        };
        self.applied(b, direction, &map, residual, value)
    }

    /// Applies the linear map that a supplied `[D f]` returns at a point.
    pub(super) fn apply_supplied(
        &mut self,
        b: &mut Builder<'_>,
        function: FnRef,
        point: Value,
        direction: Direction,
        value: Value,
    ) -> Option<Value> {
        let FnRef::Def(def) = function else { return None };
        let program = self.emitter.program;
        self.bind_params(b, &program.def(def).params, vec![Map::Plain], vec![point]);
        let (map, residual) = self.linear(b, program.def(def).body)?;
        self.applied(b, direction, &map, residual, value)
    }

    pub(super) fn applied(
        &mut self,
        b: &mut Builder<'_>,
        direction: Direction,
        map: &Map,
        residual: Value,
        value: Value,
    ) -> Option<Value> {
        with_stack(|| self.applied_at(b, direction, map, residual, value))
    }

    fn applied_at(
        &mut self,
        b: &mut Builder<'_>,
        direction: Direction,
        map: &Map,
        residual: Value,
        value: Value,
    ) -> Option<Value> {
        let is_forward = direction == Direction::Forward;
        Some(match map {
            Map::Plain | Map::Tuple(_) | Map::Tensor(_) => return None,
            Map::Zero => {
                let like = self.get(b, residual, usize::from(is_forward));
                zero_tangent(b, like, self.emitter.float)
            }
            Map::One => value,
            Map::Scale => ks::TsScale::build(b, residual, value).result(b.body()),
            Map::ScaleR | Map::Dot if is_forward == matches!(map, Map::ScaleR) => {
                ks::TsScale::build(b, value, residual).result(b.body())
            }
            Map::ScaleR | Map::Dot => {
                ks::TsDot::build(b, residual, value, self.emitter.float).result(b.body())
            }
            Map::Derivative { callee, params, fwd, rev } => {
                let ty = if is_forward { *fwd } else { *rev };
                self.request(b, direction, *callee, *params, [residual, value], ty)
            }
            Map::Compose(maps) => {
                let residuals = [self.get(b, residual, 0), self.get(b, residual, 1)];
                let (first, second) = if is_forward { (1, 0) } else { (0, 1) };
                let between = self.applied(b, direction, &maps[first], residuals[first], value)?;
                self.applied(b, direction, &maps[second], residuals[second], between)?
            }
            Map::Add(maps) => {
                let parts = self.each(b, direction, &maps[..], residual, |_, _, _| value)?;
                ks::TsAdd::build(b, parts[0], parts[1]).result(b.body())
            }
            Map::HCat(maps) | Map::VCat(maps) => {
                // The sum is over the components of the tuple that the map is applied to.
                let sums = is_forward == matches!(map, Map::HCat(_));
                let parts = self.each(b, direction, maps, residual, |scope, b, at| {
                    if sums { scope.get(b, value, at) } else { value }
                })?;
                match parts.split_first() {
                    Some((&first, rest)) if sums => {
                        rest.iter().fold(first, |sum, &part| ks::TsAdd::build(b, sum, part).result(b.body()))
                    }
                    _ => self.tuple(b, &parts),
                }
            }
            Map::HCatV(inner) | Map::VCatV(inner) => {
                let sums = is_forward == matches!(map, Map::HCatV(_));
                let size = ks::Size::build(b, residual).result(b.body());
                let sizes = self.sizes(b, size);
                let fill = |b: &mut Builder<'_>, indices: &[Value]| {
                    let residual = ks::Index::build(b, residual, indices).result(b.body());
                    let value =
                        if sums { ks::Index::build(b, value, indices).result(b.body()) } else { value };
                    self.applied(b, direction, inner, residual, value)
                };
                if sums { ks::SumBuild::with(b, &sizes, fill)? } else { ks::Build::with(b, &sizes, fill)? }
            }
            Map::Fold(step) => self.applied_fold(b, direction, step, residual, value)?,
            Map::If(maps) => {
                let (condition, both) = (self.get(b, residual, 0), self.get(b, residual, 1));
                // Both maps have the same type, so the type of either branch can be used.
                let op = ks::If::build(b, condition, Type::NONE);
                let mut ty = Type::NONE;
                for region in 0..2 {
                    let (_, outside) = b.enter(op.op(), region, &[]);
                    let residual = self.get(b, both, region);
                    let result = self.applied(b, direction, &maps[region], residual, value);
                    if let Some(result) = result {
                        ty = b.ty(result);
                        ks::Yield::build(b, result);
                    }
                    b.set_insertion_point(outside);
                    result?;
                }
                let result = op.result(b.body());
                b.body_mut().set_type(result, ty);
                result
            }
        })
    }

    /// Applies each of several maps, whose residuals are the components of a tuple, to the value for it.
    fn each(
        &mut self,
        b: &mut Builder<'_>,
        direction: Direction,
        maps: &[Map],
        residual: Value,
        mut value: impl FnMut(&mut Self, &mut Builder<'_>, usize) -> Value,
    ) -> Option<Vec<Value>> {
        let mut results = Vec::with_capacity(maps.len());
        for (at, map) in maps.iter().enumerate() {
            let (residual, value) = (self.get(b, residual, at), value(self, b, at));
            results.push(self.applied(b, direction, map, residual, value)?);
        }
        Some(results)
    }
}

/// The type of the tangents of values of a type.
pub(super) fn tangent_type(ctx: &Context, ty: Type) -> Type {
    if ty.is_float(ctx) {
        return ty;
    }
    if let Some((rank, element)) = ks::tensor_parts(ctx, ty) {
        return ks::array(ctx, rank, with_stack(|| tangent_type(ctx, element)));
    }
    let parts = ty.as_tuple(ctx).unwrap_or(&[]);
    let parts: Vec<Type> = parts.iter().map(|&part| with_stack(|| tangent_type(ctx, part))).collect();
    Type::tuple(ctx, &parts)
}

/// A value as a tangent: without the components that have none.
fn tangent_of(b: &mut Builder<'_>, value: Value) -> Value {
    tangent_from(b, value, &mut |_, number| number)
}

/// The tangent whose numbers `number` creates from those of a value.
fn tangent_from(
    b: &mut Builder<'_>,
    value: Value,
    number: &mut dyn FnMut(&mut Builder<'_>, Value) -> Value,
) -> Value {
    let ctx = b.context();
    let ty = b.ty(value);
    if ty.is_float(&ctx) {
        return number(b, value);
    }
    if ks::tensor_parts(&ctx, ty).is_some() {
        let made = ks::Map::with(b, &[value], |b, elements| {
            Some(with_stack(|| tangent_from(b, elements[0], number)))
        });
        return made.unwrap_or(value);
    }
    let count = ty.as_tuple(&ctx).map_or(0, <[Type]>::len);
    let mut parts = Vec::with_capacity(count);
    for index in 0..count {
        let part = ks::Get::build(b, value, index as i64).result(b.body());
        parts.push(with_stack(|| tangent_from(b, part, number)));
    }
    ks::MakeTuple::build(b, &parts).result(b.body())
}

/// The zero tangent of a value.
fn zero_tangent(b: &mut Builder<'_>, value: Value, float: Type) -> Value {
    let ctx = b.context();
    tangent_from(b, value, &mut |b, _| ks::Constant::build(b, Attr::float(&ctx, 0.0, float)).result(b.body()))
}
