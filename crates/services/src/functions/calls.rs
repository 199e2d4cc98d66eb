//! Calls and functions.

use minoan_ir::{Attr, Body, Builder, Context, Op, OpRef, OpState, Type, Value, service};
use std::ops::Range;

/// Call operations. Queried by interprocedural passes. Default: the operation is not a call, but any symbol that it
/// refers to may be called in an unknown way.
///
/// The results of a call are the operands of the callee's return. The callee is an operation with the trait
/// `FUNCTION_LIKE`; its returns have the trait `RETURN_LIKE`.
pub trait Calls: Send + Sync {
    /// The symbol of the callee; `None` if it is unknown.
    fn callee(&self, op: OpRef<'_>) -> Option<Attr>;

    /// The operands that become the callee's arguments.
    fn args(&self, op: OpRef<'_>) -> Range<usize> {
        0..op.n_operands()
    }
}
service!(dyn Calls, "Calls", Optional);

/// Calls that name their callee by the attribute `callee` and pass all their operands.
pub struct CallsBySymbol;

impl Calls for CallsBySymbol {
    fn callee(&self, op: OpRef<'_>) -> Option<Attr> {
        op.attr_named("callee")
    }
}

/// Creation of functions, calls and returns. Queried by outlining. Default: functions cannot be created. A function
/// operation implements it for functions of the same operation kind, a dialect for callers that need any kind of function.
pub trait FunctionMaterializer: Send + Sync {
    /// Whether a function may have this many blocks and these result types.
    fn fits(&self, ctx: &Context, results: &[Type], blocks: usize) -> bool {
        let _ = (ctx, results, blocks);
        true
    }

    /// Creates a private function at the insertion point, which is in a symbol table. It has no body yet, but storage
    /// for one, whose only region is the function body.
    fn declare(&self, b: &mut Builder<'_>, name: &str, inputs: &[Type], results: &[Type]) -> Op;

    /// Prevents later passes, and LLVM, from inlining the function. Without an implementation they may inline it.
    fn keep_out_of_line(&self, body: &mut Body, function: Op) {
        let _ = (body, function);
    }

    /// Creates a call of a function.
    fn call(&self, ctx: &Context, name: &str, operands: &[Value], results: &[Type]) -> OpState;

    /// Creates a return from a function.
    fn return_op(&self, ctx: &Context, operands: &[Value]) -> OpState;

    /// For functions with a single result: values that pack several results.
    fn packing(&self) -> Option<&dyn Packing> {
        None
    }
}

/// Values that consist of other values, such as tuples, so that a function with a single result can return several.
pub trait Packing: Send + Sync {
    /// The type of the value of these parts.
    fn packed(&self, ctx: &Context, parts: &[Type]) -> Type;

    /// Creates the value of some parts, an operation with one result.
    fn pack(&self, ctx: &Context, parts: &[Value], packed: Type) -> OpState;

    /// Reads a part, an operation with one result of type `ty`.
    fn part(&self, ctx: &Context, packed: Value, index: usize, ty: Type) -> OpState;
}
service!(dyn FunctionMaterializer, "FunctionMaterializer", Optional);

impl dyn FunctionMaterializer {
    /// The first loaded dialect that can create functions.
    pub fn any(ctx: &Context) -> Option<&dyn FunctionMaterializer> {
        ctx.dialects().iter().find_map(|dialect| dialect.service::<dyn FunctionMaterializer>())
    }
}

/// Functions with one block and one result, declared by `sym_name`, `function_type` and `sym_visibility`, whose calls
/// name them by `callee`. Several results are a builtin tuple.
pub struct OneValueFunctions {
    /// The name of the function operation.
    pub function: &'static str,
    /// The name of the call operation.
    pub call: &'static str,
    /// The name of the return operation.
    pub return_op: &'static str,
    /// The name of the operation that creates a tuple of its operands.
    pub tuple: &'static str,
    /// The name of the operation that reads the component `index` of a tuple.
    pub get: &'static str,
}

impl FunctionMaterializer for OneValueFunctions {
    fn fits(&self, _: &Context, results: &[Type], blocks: usize) -> bool {
        results.len() == 1 && blocks == 1
    }

    fn declare(&self, b: &mut Builder<'_>, name: &str, inputs: &[Type], results: &[Type]) -> Op {
        let ctx = b.context();
        let names = ctx.names();
        let props = [
            (names.sym_name, Attr::string(&ctx, name)),
            (names.function_type, Attr::ty(&ctx, Type::function(&ctx, inputs, results))),
            (names.sym_visibility, Attr::string(&ctx, "private")),
        ];
        b.create(OpState::named(&ctx, self.function).regions(1).props(Attr::dictionary(&ctx, &props)))
    }

    fn call(&self, ctx: &Context, name: &str, operands: &[Value], results: &[Type]) -> OpState {
        let props = Attr::dictionary(ctx, &[(ctx.name("callee"), Attr::symbol_ref(ctx, name))]);
        OpState::named(ctx, self.call).operands(operands).results(results).props(props)
    }

    fn return_op(&self, ctx: &Context, operands: &[Value]) -> OpState {
        OpState::named(ctx, self.return_op).operands(operands)
    }

    fn packing(&self) -> Option<&dyn Packing> {
        Some(self)
    }
}

impl Packing for OneValueFunctions {
    fn packed(&self, ctx: &Context, parts: &[Type]) -> Type {
        Type::tuple(ctx, parts)
    }

    fn pack(&self, ctx: &Context, parts: &[Value], packed: Type) -> OpState {
        OpState::named(ctx, self.tuple).operands(parts).results(&[packed])
    }

    fn part(&self, ctx: &Context, packed: Value, index: usize, ty: Type) -> OpState {
        let props = Attr::dictionary(ctx, &[(ctx.name("index"), Attr::i64(ctx, index as i64))]);
        OpState::named(ctx, self.get).operands(&[packed]).results(&[ty]).props(props)
    }
}
