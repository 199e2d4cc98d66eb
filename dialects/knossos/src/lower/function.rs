//! Lowering of functions and dispatch over operations.

use super::build::{Externs, assert, dummy, flatten, text};
use super::derivative::Functions;
use super::{Lowering, Parts};
use minoan_arith as arith;
use minoan_functional::{Functional, Role, Values, one, result_type};
use minoan_ir::{Body, Builder, Context, Op, OpRef, Type, Value};

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
        let ctx = self.ctx.clone();
        let operand = |index: usize| op.operand(index);
        match op.name().strip_prefix("knossos.").unwrap_or_default() {
            "constant" => match op.attr_named("value") {
                Some(value) => one(arith::constant(b, value)),
                None => Parts::new(),
            },
            "string" => match op.attr_named("value").map(|value| value.data(&ctx)) {
                Some(minoan_ir::AttrData::String { bytes, .. }) => one(text(b, bytes)),
                _ => Parts::new(),
            },
            "dummy" => super::build::dummy_value(b, result_type(op)),
            "assert" => {
                assert(b, self.single(operand(0)), "Assert failed");
                Parts::new()
            }
            "print" => one(self.print(b, op)),
            "trace" => self.trace(b, op),
            "eq" => one(self.equal(b, operand(0), operand(1))),
            "ne" => {
                let equal = self.equal(b, operand(0), operand(1));
                let yes = arith::constant_bool(b, true);
                one(arith::xori(b, equal, yes))
            }
            "prelude" => one(self.prelude(b, op)),
            "derivative" => self.derivative(b, op),
            "build" => self.build(b, op),
            "sumbuild" => self.sum_build(b, op),
            "fold" => self.fold(b, op),
            "scan" => self.scan(b, op),
            "bench" => self.bench(b, op),
            "map" | "map2" => self.map(b, op),
            "index" => self.index(b, op),
            "size" => self.size(b, op),
            "sum" => self.sum(b, op),
            "const_vec" => self.const_vec(b, op),
            "delta_vec" => self.delta_vec(b, op),
            "delta" => self.delta(b, op),
            "vec_init" => self.vec_init(b, op),
            "unzip" => self.unzip(b, op),
            "build_from_sparse" => self.build_from_sparse(b, op),
            "ts_add" => self.ts_add(b, op),
            "ts_scale" => self.ts_scale(b, op),
            "ts_neg" => self.ts_neg(b, op),
            "ts_dot" => one(self.ts_dot(b, op)),
            _ => Parts::new(),
        }
    }
}
