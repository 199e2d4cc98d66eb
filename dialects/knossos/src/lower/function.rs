//! Lowering of functions and dispatch over operations.

use super::build::{Externs, assert, dummy, flatten, text};
use super::derivative::Functions;
use super::{Lowering, Parts};
use crate::{
    Assert, Bench, Build, BuildFromSparse, ConstVec, Constant, Delta, DeltaVec, Derivative, Dummy, Eq, Fold,
    Index, Map, Map2, Ne, Prelude, Print, Scan, Size, Str, Sum, SumBuild, Trace, TsAdd, TsDot, TsNeg,
    TsScale, Unzip, VecInit,
};
use minoan_arith as arith;
use minoan_functional::{Functional, Role, Values, one, result_type};
use minoan_ir::{AttrData, Body, Builder, Context, Op, OpDef, OpRef, OpSpec, Type, Value};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Lowers a function of `source` to a `func.func`.
pub(super) fn lower(
    b: &mut Builder<'_>,
    functions: &Functions<'_>,
    func: Op,
    externs: &mut Externs,
    check_bounds: bool,
) {
    let ctx = b.context();
    minoan_functional::function(b, functions.source(), func, |source| Lowering {
        ctx,
        functions,
        source,
        values: Values::default(),
        externs,
        check_bounds,
    });
}

/// Lowers the operations of the dialect in a function of another one.
pub(super) fn lower_operations<'a>(
    inside: &mut Body,
    source: &'a Body,
    functions: &'a Functions<'a>,
    externs: &'a mut Externs,
    check_bounds: bool,
) {
    let ctx = inside.context().clone();
    minoan_functional::operations(inside, source, |source, values| Lowering {
        ctx,
        functions,
        source,
        values,
        externs,
        check_bounds,
    });
}

impl<'a> Functional<'a> for Lowering<'a> {
    const DIALECT: &'static str = "knossos";

    fn role(op: OpRef<'_>) -> Role<'_> {
        let ctx = op.context();
        if op.is::<crate::Call>() {
            let callee = op.attr_named("callee").and_then(|callee| callee.as_flat_symbol(ctx));
            Role::Call(callee.map_or("", |name| name.as_str(ctx)))
        } else if op.is::<crate::If>() {
            Role::If
        } else if op.is::<crate::MakeTuple>() {
            Role::Tuple
        } else if op.is::<crate::Get>() {
            let index = op.attr_named("index").and_then(|index| index.as_i64(ctx));
            Role::Get(index.and_then(|index| usize::try_from(index).ok()).unwrap_or(0))
        } else {
            Role::Other
        }
    }

    fn is_value(ctx: &Context, ty: Type) -> bool {
        crate::types::is_value_type(ctx, ty)
    }

    fn flatten(ctx: &Context, ty: Type, out: &mut Vec<Type>) {
        flatten(ctx, ty, out);
    }

    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn source(&self) -> &'a Body {
        self.source
    }

    fn values(&self) -> &Values {
        &self.values
    }

    fn values_mut(&mut self) -> &mut Values {
        &mut self.values
    }

    fn dummy(b: &mut Builder<'_>, ty: Type) -> Value {
        dummy(b, ty)
    }

    fn other(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        RULES.get(op.name()).map_or_else(Parts::new, |rule| rule(self, b, op))
    }
}

/// Lowers an operation; returns the components of its result.
type Rule = for<'a> fn(&mut Lowering<'a>, &mut Builder<'_>, OpRef<'a>) -> Parts;

/// The rules of the operations with [`Role::Other`], by name.
static RULES: LazyLock<FxHashMap<&'static str, Rule>> = LazyLock::new(|| {
    let mut rules = FxHashMap::default();
    let mut of = |spec: &'static OpSpec, rule: Rule| {
        rules.insert(spec.name, rule);
    };
    of(Constant::SPEC, |_, b, op| match op.attr_named("value") {
        Some(value) => one(arith::constant(b, value)),
        None => Parts::new(),
    });
    of(Str::SPEC, |_, b, op| match op.attr_named("value").map(|value| value.data(op.context())) {
        Some(AttrData::String { bytes, .. }) => one(text(b, bytes)),
        _ => Parts::new(),
    });
    of(Dummy::SPEC, |_, b, op| super::build::dummy_value(b, result_type(op)));
    of(Assert::SPEC, |lowering, b, op| {
        assert(b, lowering.single(op.operand(0)), "Assert failed");
        Parts::new()
    });
    of(Print::SPEC, |lowering, b, op| one(lowering.print(b, op)));
    of(Trace::SPEC, |lowering, b, op| lowering.trace(b, op));
    of(Eq::SPEC, |lowering, b, op| one(lowering.equal(b, op.operand(0), op.operand(1))));
    of(Ne::SPEC, |lowering, b, op| {
        let equal = lowering.equal(b, op.operand(0), op.operand(1));
        let yes = arith::constant_bool(b, true);
        one(arith::xori(b, equal, yes))
    });
    of(Prelude::SPEC, |lowering, b, op| one(lowering.prelude(b, op)));
    of(Derivative::SPEC, |lowering, b, op| lowering.derivative(b, op));
    of(Build::SPEC, |lowering, b, op| lowering.build(b, op));
    of(SumBuild::SPEC, |lowering, b, op| lowering.sum_build(b, op));
    of(Fold::SPEC, |lowering, b, op| lowering.fold(b, op));
    of(Scan::SPEC, |lowering, b, op| lowering.scan(b, op));
    of(Bench::SPEC, |lowering, b, op| lowering.bench(b, op));
    of(Map::SPEC, |lowering, b, op| lowering.map(b, op));
    of(Map2::SPEC, |lowering, b, op| lowering.map(b, op));
    of(Index::SPEC, |lowering, b, op| lowering.index(b, op));
    of(Size::SPEC, |lowering, b, op| lowering.size(b, op));
    of(Sum::SPEC, |lowering, b, op| lowering.sum(b, op));
    of(ConstVec::SPEC, |lowering, b, op| lowering.const_vec(b, op));
    of(DeltaVec::SPEC, |lowering, b, op| lowering.delta_vec(b, op));
    of(Delta::SPEC, |lowering, b, op| lowering.delta(b, op));
    of(VecInit::SPEC, |lowering, b, op| lowering.vec_init(b, op));
    of(Unzip::SPEC, |lowering, b, op| lowering.unzip(b, op));
    of(BuildFromSparse::SPEC, |lowering, b, op| lowering.build_from_sparse(b, op));
    of(TsAdd::SPEC, |lowering, b, op| lowering.ts_add(b, op));
    of(TsScale::SPEC, |lowering, b, op| lowering.ts_scale(b, op));
    of(TsNeg::SPEC, |lowering, b, op| lowering.ts_neg(b, op));
    of(TsDot::SPEC, |lowering, b, op| one(lowering.ts_dot(b, op)));
    rules
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Func, Get, If, KnossosDialect, MakeTuple, Return, Yield};
    use minoan_ir::Registry;

    #[test]
    fn every_operation_has_a_rule_or_a_role() {
        let mut registry = Registry::new();
        registry.add(KnossosDialect);
        let ctx = Context::new(registry).expect("one dialect");
        let shared =
            [Call::SPEC, Func::SPEC, Get::SPEC, If::SPEC, MakeTuple::SPEC, Return::SPEC, Yield::SPEC];
        let others = shared.into_iter().chain([crate::Rule::SPEC]).map(|spec| spec.name);
        let mut known: Vec<&str> = RULES.keys().copied().chain(others).collect();
        known.sort_unstable();
        let dialect =
            ctx.dialects().iter().find(|dialect| dialect.name() == "knossos").expect("it was added");
        let declared: Vec<&str> = dialect.ops().iter().map(|&kind| ctx.kind_name(kind)).collect();
        assert_eq!(declared, known);
    }
}
