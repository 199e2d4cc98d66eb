//! Functions, regions, and operation by operation.

use super::build::{Externs, assert, choose, dummy, flat, flatten, text};
use super::{Lowering, Parts, signature, tail};
use minoan_arith as arith;
use minoan_func::{Call, Func, Return};
use minoan_ir::{Block, Body, Builder, Op, OpDef, OpRef, Type, Value};
use rustc_hash::FxHashMap;

/// Lowers a function of `source` to a `func.func`.
pub(super) fn lower(b: &mut Builder<'_>, source: &Body, func: Op, externs: &mut Externs, check_bounds: bool) {
    let ctx = b.context();
    let view = source.op(func);
    let Some(inside) = view.nested() else { return };
    let ty = view.attr(ctx.names().function_type).and_then(|ty| ty.as_type(&ctx));
    let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(&ctx)) else { return };
    let (mut args, mut given) = (Vec::new(), Vec::new());
    inputs.iter().for_each(|&ty| flatten(&ctx, ty, &mut args));
    results.iter().for_each(|&ty| flatten(&ctx, ty, &mut given));

    b.set_loc(view.loc());
    let name = view.symbol_name().unwrap_or_default();
    let Some(entry) = inside.region(inside.root(0)).entry() else {
        let declared = Func::declare(b, name, &args, &given, true);
        return b.body_mut().set_attrs(declared.op(), view.attrs());
    };
    let private = view.attr_named("sym_visibility").and_then(|attr| attr.as_str(&ctx)) == Some("private");
    let (lowered, block) = Func::define(b, name, &args, &given, private);
    b.body_mut().set_attrs(lowered.op(), view.attrs());
    for (name, paths) in [
        (ctx.names().arg_attrs, signature::argument_paths(&ctx, inputs)),
        (ctx.names().res_attrs, signature::result_paths(&ctx, results)),
    ] {
        // Nobody outside calls a private function.
        if let Some(paths) = paths.filter(|_| !private) {
            b.body_mut().set_attr(lowered.op(), name, Some(signature::attrs(&ctx, &paths)));
        }
    }
    let Some(body) = b.body_mut().nested_mut(lowered.op()) else { return };
    let mut b = Builder::at_end(body, block).with_loc(view.loc());
    let values = FxHashMap::default();
    let mut lowering = Lowering { ctx, source: inside, values, externs, check_bounds, peeled: 0 };
    let args: Vec<Value> = b.body().block(block).args().collect();
    let results = match tail::Plan::of(inside, entry, name) {
        Some(plan) => lowering.tail_loop(&mut b, entry, &plan, &args, &given),
        None => {
            lowering.bind_flat(entry, &args);
            lowering.block(&mut b, entry)
        }
    };
    Return::build(&mut b, &results);
}

impl<'a> Lowering<'a> {
    /// Binds the arguments of a block to values, all components in a row.
    pub(super) fn bind_flat(&mut self, block: Block, values: &[Value]) {
        let mut rest = values;
        for arg in self.source.block(block).args() {
            let count = flat(&self.ctx, self.source.ty(arg)).len();
            let (own, after) = rest.split_at(count.min(rest.len()));
            self.values.insert(arg, own.into());
            rest = after;
        }
    }

    /// What became of a value.
    pub(super) fn parts(&self, value: Value) -> Parts {
        self.values.get(&value).cloned().unwrap_or_default()
    }

    /// What became of a value that has one component.
    pub(super) fn single(&self, value: Value) -> Value {
        self.values
            .get(&value)
            .and_then(|parts| parts.first().copied())
            .expect("a number, a tensor or a string")
    }

    pub(super) fn singles(&self, values: impl Iterator<Item = Value>) -> Vec<Value> {
        values.map(|value| self.single(value)).collect()
    }

    /// Lowers a block; gives what its terminator gives.
    pub(super) fn block(&mut self, b: &mut Builder<'_>, block: Block) -> Parts {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            let Some(last) = self.source.block(block).last() else { return Parts::new() };
            self.ops_before(b, block, last);
            let last = self.source.op(last);
            last.operands().next().map_or_else(Parts::new, |value| self.parts(value))
        })
    }

    /// Lowers the operations of a block up to, and without, `end`.
    pub(super) fn ops_before(&mut self, b: &mut Builder<'_>, block: Block, end: Op) {
        let source = self.source;
        let outside = b.loc();
        for op in source.block(block).ops().take_while(|&op| op != end) {
            let op = source.op(op);
            b.set_loc(op.loc());
            let parts = self.op(b, op);
            if let Some(result) = op.results().next() {
                self.values.insert(result, parts);
            }
        }
        b.set_loc(outside);
    }

    /// Lowers the only block of region `index`, whose arguments are `args`, all components in a row.
    pub(super) fn region(
        &mut self,
        b: &mut Builder<'_>,
        op: OpRef<'a>,
        index: usize,
        args: &[Value],
    ) -> Parts {
        let Some(entry) = self.source.region(op.region(index)).entry() else { return Parts::new() };
        self.bind_flat(entry, args);
        self.block(b, entry)
    }

    fn op(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
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
            "tuple" => op.operands().flat_map(|part| self.parts(part)).collect(),
            "get" => self.component(op),
            "dummy" => flat(&ctx, result_type(op)).into_iter().map(|ty| dummy(b, ty)).collect(),
            "call" => {
                let args: Vec<Value> = op.operands().flat_map(|arg| self.parts(arg)).collect();
                let callee = op.attr_named("callee").and_then(|callee| callee.as_flat_symbol(&ctx));
                let callee = callee.map_or("", |name| name.as_str(&ctx));
                let call = Call::to(b, callee, &args, &flat(&ctx, result_type(op)));
                b.body().op(call.op()).results().collect()
            }
            "if" => {
                let (condition, results) = (self.single(operand(0)), flat(&ctx, result_type(op)));
                choose(b, condition, &results, |b, which| self.region(b, op, usize::from(!which), &[]))
            }
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
            "build" => one(self.build(b, op)),
            "sumbuild" => self.sum_build(b, op),
            "fold" => self.fold(b, op),
            "map" | "map2" => one(self.map(b, op)),
            "index" => one(self.index(b, op)),
            "size" => self.size(b, op),
            "sum" => one(self.sum(b, op)),
            "const_vec" => one(self.const_vec(b, op)),
            "delta_vec" => one(self.delta_vec(b, op)),
            "delta" => self.delta(b, op),
            "vec_init" => one(self.vec_init(b, op)),
            "ts_add" => self.ts_add(b, op),
            "ts_scale" => self.ts_scale(b, op),
            "ts_neg" => self.ts_neg(b, op),
            "ts_dot" => one(self.ts_dot(b, op)),
            _ => Parts::new(),
        }
    }

    fn component(&self, op: OpRef<'a>) -> Parts {
        let tuple = op.operand(0);
        let parts = self.source.ty(tuple).as_tuple(&self.ctx).unwrap_or(&[]);
        let index = op.attr_named("index").and_then(|index| index.as_i64(&self.ctx));
        let index = index.and_then(|index| usize::try_from(index).ok()).unwrap_or(0).min(parts.len());
        let before: usize = parts[..index].iter().map(|&ty| flat(&self.ctx, ty).len()).sum();
        let count = parts.get(index).map_or(0, |&ty| flat(&self.ctx, ty).len());
        self.values.get(&tuple).map_or_else(Parts::new, |all| all[before..before + count].into())
    }
}

/// The type of the only result.
pub(super) fn result_type(op: OpRef<'_>) -> Type {
    op.result_types().next().unwrap_or(Type::NONE)
}

/// A value of one component.
pub(super) fn one(value: Value) -> Parts {
    let mut parts = Parts::new();
    parts.push(value);
    parts
}
