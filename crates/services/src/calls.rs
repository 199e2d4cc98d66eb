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

/// Functions, calls and returns as operations. Asked by whoever makes functions; without an answer none is made.
pub trait FunctionMaterializer: Send + Sync {
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
