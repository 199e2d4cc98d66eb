//! Calls.

use minoan_ir::{Attr, Builder, Context, Op, OpRef, OpState, Type, Value, service};
use std::ops::Range;

/// Which operations are calls. Asked by whatever follows values from calls into functions and back; without an answer
/// an operation calls nothing by a symbol that other passes need to know, but a symbol that it names may be called
/// all the same.
///
/// The results of a call are what the callee gives back. What is called is an operation with the trait
/// `FUNCTION_LIKE`; its returns have the trait `RETURN_LIKE`.
pub trait Calls: Send + Sync {
    /// The symbol that is called; `None` when it is not known.
    fn callee(&self, op: OpRef<'_>) -> Option<Attr>;

    /// The operands that become the arguments of the callee.
    fn args(&self, op: OpRef<'_>) -> Range<usize> {
        0..op.n_operands()
    }
}
service!(dyn Calls, "Calls", Optional);

/// Functions, calls and returns as operations. Asked by whoever makes functions; without an answer none is made. A kind of function
/// answers for functions of its kind, a dialect for whoever needs any.
pub trait FunctionMaterializer: Send + Sync {
    /// Whether a function may have this many blocks, and results of these types.
    fn fits(&self, ctx: &Context, results: &[Type], blocks: usize) -> bool {
        let _ = (ctx, results, blocks);
        true
    }

    /// Creates a private function of that name at the cursor, which stands in a symbol table: without a body, but with
    /// storage for one, whose one region is the function's.
    fn declare(&self, b: &mut Builder<'_>, name: &str, inputs: &[Type], results: &[Type]) -> Op;

    /// A call of a function.
    fn call(&self, ctx: &Context, name: &str, operands: &[Value], results: &[Type]) -> OpState;

    /// A return from a function.
    fn give_back(&self, ctx: &Context, operands: &[Value]) -> OpState;
}
service!(dyn FunctionMaterializer, "FunctionMaterializer", Optional);

impl dyn FunctionMaterializer {
    /// The first dialect that has functions.
    pub fn any(ctx: &Context) -> Option<&dyn FunctionMaterializer> {
        ctx.dialects().iter().find_map(|dialect| dialect.service::<dyn FunctionMaterializer>())
    }
}

/// Functions of one block and one result that are declared by `sym_name`, `function_type` and `sym_visibility`, and whose calls name
/// them as `callee`.
pub struct OneValueFunctions {
    /// The name of a function as an operation.
    pub function: &'static str,
    /// The name of a call.
    pub call: &'static str,
    /// The name of a return.
    pub give_back: &'static str,
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

    fn give_back(&self, ctx: &Context, operands: &[Value]) -> OpState {
        OpState::named(ctx, self.give_back).operands(operands)
    }
}
