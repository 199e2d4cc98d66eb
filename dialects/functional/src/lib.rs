//! The lowering of functional languages: declarations, verification and conversion that front-end dialects share.
//!
//! * The dialects have functions with one block and one result, tuples, conditionals with two regions, and calls.
//!   [`control_operations`] declares the operations that all of them have, under the names of each language.
//! * Lowering flattens tuples into their components, so that one source value corresponds to several lowered values; a
//!   conditional becomes an `scf.if`, a call a `func.call`, and self-recursion in tail position a loop. A dialect implements
//!   [`Functional`] for the state of the lowering of a function, and calls [`function`].
//! * Functions may have operations of other dialects, and other functions those of the language ([`operations`]): these are
//!   then converted, as in any dialect conversion ([`contribute`]).
//!
//! The operations of the language are lowered by one walk over an immutable source, not by conversion patterns, unless the
//! language leaves them to patterns ([`Functional::lowers`]), as Relay does with its operators:
//! * Rules of operations with regions examine the operations that other rules have created (constants, extents known by
//!   construction), including those of a region, which is lowered where it is inlined, possibly several times. Patterns would inline
//!   regions before they are lowered, so that rules would see casts and emit checks at run time instead, and would clone them once
//!   for each level.
//! * Tail recursion concerns the whole function.
//!
//! The dialect knossos is lowered by this crate. A tuple that a function takes, returns or passes to itself becomes several
//! values, and the recursion of this function a loop:
//!
//! ```
//! # use minoan_arith::ArithDialect;
//! # use minoan_builtin::BuiltinDialect;
//! # use minoan_diag::SourceMap;
//! # use minoan_func::FuncDialect;
//! # use minoan_interp::Interpreter;
//! # use minoan_ir::text::{ParseOptions, parse_module};
//! # use minoan_knossos_dialect::KnossosDialect;
//! # use minoan_scf::{ScfDialect, While};
//! # use minoan_services::Datum;
//! # use minoan_testing::context;
//! let program = r#"knossos.func @fib(%n: i64, %p: tuple<i64, i64>) -> tuple<i64, i64> {
//!   %zero = constant 0 : i64
//!   %is_last = eq %n, %zero : i64
//!   %result = if %is_last {
//!     knossos.yield %p : tuple<i64, i64>
//!   } else {
//!     %one = knossos.constant 1 : i64
//!     %rest = knossos.prelude "sub"(%n, %one) : (i64, i64) -> i64
//!     %a = knossos.get %p[0] : tuple<i64, i64>
//!     %b = knossos.get %p[1] : tuple<i64, i64>
//!     %c = knossos.prelude "add"(%a, %b) : (i64, i64) -> i64
//!     %next = knossos.tuple(%b, %c) : (i64, i64) -> tuple<i64, i64>
//!     %last = knossos.call @fib(%rest, %next) : (i64, tuple<i64, i64>) -> tuple<i64, i64>
//!     knossos.yield %last : tuple<i64, i64>
//!   } : tuple<i64, i64>
//!   return %result : tuple<i64, i64>
//! }"#;
//! # let ctx = context(|registry| {
//! #     registry.add(BuiltinDialect).add(FuncDialect).add(ArithDialect).add(ScfDialect).add(KnossosDialect);
//! # });
//! # let sources = SourceMap::new();
//! # let file = sources.add("fib.mlir", program);
//! let mut module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("one function");
//! minoan_rewrite::lower(&mut module).expect("every operation is lowered");
//! assert_eq!(module.walk::<While>().count(), 1);
//! let args = [Datum::Int(10), Datum::Int(0), Datum::Int(1)];
//! assert_eq!(Interpreter::new(&module).call("fib", &args)?, [Datum::Int(55), Datum::Int(89)]);
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

mod checks;
mod control;
mod convert;
mod mixed;
mod tail;
mod tail_while;
mod tuples;
mod values;

pub use checks::checked_product;
pub use control::{infer_constant, verify_constant, verify_function, verify_if, verify_region};
pub use convert::{cast, contribute};
pub use minoan_cf::assert;
pub use mixed::{check, has_operations, is_mixed, operations};
pub use tuples::{infer_get, infer_tuple, verify_get, verify_tuple};
pub use values::Values;

use minoan_func::{Call, Func, Return, Visibility};
use minoan_ir::{Block, Body, Builder, Context, Module, Op, OpDef, OpRef, OpState, Type, Value};
use minoan_scf::{If, Yield};
use minoan_services::{argument_attrs, result_attrs};
use smallvec::SmallVec;

/// The components of a value.
pub type Parts = SmallVec<[Value; 2]>;

/// The role of an operation in the shared part of the lowering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role<'a> {
    /// A call of the function with this name; the operands are the arguments.
    Call(&'a str),
    /// A conditional: the first region is executed if operand 0 is true.
    If,
    /// A choice between regions, which [`Functional::select`] lowers.
    Choice,
    /// A tuple of the operands.
    Tuple,
    /// A component of operand 0.
    Get(usize),
    /// Any other operation.
    Other,
}

/// The components of a value with one component.
pub fn one(value: Value) -> Parts {
    let mut parts = Parts::new();
    parts.push(value);
    parts
}

/// The types of the components of a value of type `ty`.
pub fn flat<'a, L: Functional<'a>>(ctx: &Context, ty: Type) -> Vec<Type> {
    let mut out = Vec::new();
    L::flatten(ctx, ty, &mut out);
    out
}

/// The type of the only result.
pub fn result_type(op: OpRef<'_>) -> Type {
    op.result_types().next().unwrap_or(Type::NONE)
}

/// Selects between two lists of values.
pub fn choose(
    b: &mut Builder<'_>,
    condition: Value,
    results: &[Type],
    mut fill: impl FnMut(&mut Builder<'_>, bool) -> Parts,
) -> Parts {
    let ctx = b.context();
    let state = OpState::new(ctx.kind_of::<If>()).operands(&[condition]).results(results).regions(2);
    let op = b.create(state);
    let outside = b.insertion_point();
    for (index, which) in [true, false].into_iter().enumerate() {
        b.enter(op, index, &[]);
        let values = fill(b, which);
        Yield::build(b, &values);
    }
    b.set_insertion_point(outside);
    b.body().op(op).results().collect()
}

/// The state of the lowering of a function.
pub trait Functional<'a>: Sized {
    /// The dialect of the language.
    const DIALECT: &'static str;

    /// Whether an operation in a function of the language is lowered by the walk over the function; by default, if it belongs
    /// to the dialect. Others are copied, and may be converted by patterns.
    fn lowers(op: OpRef<'_>) -> bool {
        op.name().split_once('.').is_some_and(|(dialect, _)| dialect == Self::DIALECT)
    }

    /// The role of an operation.
    fn role(op: OpRef<'_>) -> Role<'_>;
    /// Whether a type is a value type of the language.
    fn is_value(ctx: &Context, ty: Type) -> bool;
    /// Whether lowering certainly keeps a type: a test that takes little time.
    fn is_kept(_: &Context, _: Type) -> bool {
        false
    }
    /// Appends the types of the components of a value of type `ty`.
    fn flatten(ctx: &Context, ty: Type, out: &mut Vec<Type>);
    /// The context.
    fn ctx(&self) -> &Context;
    /// The body of the source function.
    fn source(&self) -> &'a Body;
    /// The values lowered so far.
    fn values(&self) -> &Values;
    /// The values lowered so far, mutably.
    fn values_mut(&mut self) -> &mut Values;
    /// Lowers an operation with role [`Role::Other`]; returns the components of its result.
    fn other(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts;
    /// Creates an arbitrary value of a lowered type.
    fn dummy(b: &mut Builder<'_>, ty: Type) -> Value;

    /// Lowers a conditional or choice with results of the types `results`. `fill` lowers the region with this number,
    /// whose arguments are mapped already, to values of these types.
    fn select(
        &mut self,
        b: &mut Builder<'_>,
        op: OpRef<'a>,
        results: &[Type],
        fill: &mut dyn FnMut(&mut Self, &mut Builder<'_>, usize) -> Parts,
    ) -> Parts {
        let condition = self.condition(b, op);
        choose(b, condition, results, |b, which| fill(self, b, usize::from(!which)))
    }

    /// The condition of a conditional as an `i1`.
    fn condition(&self, _: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        self.single(op.operand(0))
    }

    /// Maps the arguments of a block to values, given as flattened components.
    fn bind_flat(&mut self, block: Block, values: &[Value]) {
        let source = self.source();
        self.bind_all(source.block(block).args(), values);
    }

    /// Maps source values to values, given as flattened components.
    fn bind_all(&mut self, names: impl Iterator<Item = Value>, values: &[Value]) {
        let mut rest = values;
        for name in names {
            let count = flat::<Self>(self.ctx(), self.source().ty(name)).len();
            let (own, after) = rest.split_at(count.min(rest.len()));
            self.values_mut().insert(name, own.into());
            rest = after;
        }
    }

    /// The components of a source value.
    fn parts(&self, value: Value) -> Parts {
        self.values().get(&value).cloned().unwrap_or_default()
    }

    /// The flattened components of source values.
    fn all_parts(&self, values: impl Iterator<Item = Value>) -> Vec<Value> {
        values.flat_map(|value| self.parts(value)).collect()
    }

    /// The lowered value of a source value with one component.
    fn single(&self, value: Value) -> Value {
        self.values()
            .get(&value)
            .and_then(|parts| parts.first().copied())
            .expect("a value that is not a tuple has one component")
    }

    /// The lowered values of source values with one component each.
    fn singles(&self, values: impl Iterator<Item = Value>) -> Vec<Value> {
        values.map(|value| self.single(value)).collect()
    }

    /// Lowers a block; returns the components of its terminator's operand.
    fn block(&mut self, b: &mut Builder<'_>, block: Block) -> Parts {
        minoan_ir::with_stack(|| {
            let source = self.source();
            let Some(last) = source.block(block).last() else { return Parts::new() };
            self.ops_before(b, block, last);
            source.op(last).operands().next().map_or_else(Parts::new, |value| self.parts(value))
        })
    }

    /// Lowers the operations of a block before `end`.
    fn ops_before(&mut self, b: &mut Builder<'_>, block: Block, end: Op) {
        let source = self.source();
        self.ops(b, source.block(block).ops().take_while(|&op| op != end));
    }

    /// Lowers all operations of a block.
    fn all_ops(&mut self, b: &mut Builder<'_>, block: Block) {
        minoan_ir::with_stack(|| {
            let source = self.source();
            self.ops(b, source.block(block).ops());
        });
    }

    /// Lowers operations.
    fn ops(&mut self, b: &mut Builder<'_>, ops: impl Iterator<Item = Op>) {
        let source = self.source();
        let outside = b.loc();
        for op in ops {
            let op = source.op(op);
            b.set_loc(op.loc());
            let parts = self.op(b, op);
            if let Some(result) = op.results().next() {
                self.values_mut().insert(result, parts);
            }
        }
        b.set_loc(outside);
    }

    /// Inlines the lowered block of region `index` for the arguments `args`, given as flattened components.
    fn region(&mut self, b: &mut Builder<'_>, op: OpRef<'a>, index: usize, args: &[Value]) -> Parts {
        let Some(entry) = self.source().region(op.region(index)).entry() else { return Parts::new() };
        self.bind_flat(entry, args);
        self.block(b, entry)
    }

    /// Lowers an operation; returns the components of its result.
    fn op(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        if !Self::lowers(op) {
            return mixed::foreign(self, b, op);
        }
        match Self::role(op) {
            Role::Tuple => self.all_parts(op.operands()).into(),
            Role::Get(index) => self.component(op, index),
            Role::Call(callee) => {
                let args = self.all_parts(op.operands());
                let call = Call::to(b, callee, &args, &flat::<Self>(self.ctx(), result_type(op)));
                b.body().op(call.op()).results().collect()
            }
            Role::If | Role::Choice => {
                let results = flat::<Self>(self.ctx(), result_type(op));
                self.select(b, op, &results, &mut |lowering, b, index| match lowering
                    .source()
                    .region(op.region(index))
                    .entry()
                {
                    Some(entry) => lowering.block(b, entry),
                    None => Parts::new(),
                })
            }
            Role::Other => self.other(b, op),
        }
    }

    /// The components of a component of a tuple.
    fn component(&mut self, op: OpRef<'a>, index: usize) -> Parts {
        let (tuple, ctx) = (op.operand(0), op.context());
        let ty = self.source().ty(tuple);
        let range = self.values_mut().range(ty, index, || {
            let parts = ty.as_tuple(ctx).unwrap_or(&[]);
            parts.iter().map(|&part| flat::<Self>(ctx, part).len()).collect()
        });
        self.values().get(&tuple).map_or_else(Parts::new, |all| all[range].into())
    }
}

/// A module without operations, with the location and the attributes of another one.
pub fn empty_copy(module: &Module) -> Module {
    let source = module.holder().op(module.op());
    let mut copy = Module::new(module.context(), source.loc());
    let op = copy.op();
    copy.holder_mut().set_props(op, source.props());
    copy.holder_mut().set_attrs(op, source.attrs());
    copy
}

/// Lowers a function of `source` to a `func.func` with its name, visibility and attributes; `begin` creates the
/// state. Declarations remain declarations.
pub fn function<'a, L: Functional<'a>>(
    b: &mut Builder<'_>,
    source: &'a Body,
    func: Op,
    begin: impl FnOnce(&'a Body) -> L,
) {
    let ctx = b.context();
    let view = source.op(func);
    let Some(inside) = view.nested() else { return };
    let ty = view.attr(ctx.names().function_type).and_then(|ty| ty.as_type(&ctx));
    let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(&ctx)) else { return };
    let (mut args, mut given) = (Vec::new(), Vec::new());
    inputs.iter().for_each(|&ty| L::flatten(&ctx, ty, &mut args));
    results.iter().for_each(|&ty| L::flatten(&ctx, ty, &mut given));

    b.set_loc(view.loc());
    let name = view.symbol_name().unwrap_or_default();
    let Some(entry) = inside.region(inside.root(0)).entry() else {
        let declared = Func::declare(b, name, &args, &given, Visibility::Private);
        return b.body_mut().set_attrs(declared.op(), view.attrs());
    };
    let private = view.attr_named("sym_visibility").and_then(|attr| attr.as_str(&ctx)) == Some("private");
    let visibility = if private { Visibility::Private } else { Visibility::Public };
    let (lowered, block) = Func::define(b, name, &args, &given, visibility);
    b.body_mut().set_attrs(lowered.op(), view.attrs());
    let components = |ty| flat::<L>(&ctx, ty);
    for (name, attrs) in [
        (ctx.names().arg_attrs, argument_attrs(&ctx, inputs, &components)),
        (ctx.names().res_attrs, result_attrs(&ctx, results, &components)),
    ] {
        // A private function has no signature.
        if let Some(attrs) = attrs.filter(|_| !private) {
            b.body_mut().set_attr(lowered.op(), name, Some(attrs));
        }
    }
    let Some(body) = b.body_mut().nested_mut(lowered.op()) else { return };
    let mut b = Builder::at_end(body, block).with_loc(view.loc());
    let mut lowering = begin(inside);
    let args: Vec<Value> = b.body().block(block).args().collect();
    let results = match tail::Plan::of::<L>(inside, entry, name) {
        Some(plan) => tail::tail_loop(&mut lowering, &mut b, entry, &plan, &args, &given),
        None => {
            lowering.bind_flat(entry, &args);
            lowering.block(&mut b, entry)
        }
    };
    Return::build(&mut b, &results);
}
