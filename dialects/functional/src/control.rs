//! The operations that all functional languages have, and the verification of functions and regions.

use minoan_ir::text::print_type;
use minoan_ir::{Block, Body, InferInput, Op, OpDef, Type, Violations};

/// Declares the operations `Return`, `Call`, `Yield`, `MakeTuple` and `Get` of a language, under its own names.
///
/// `values` is the constraint of all values, `tuples` that of tuples. The name of the call may be followed by `services(..)`,
/// which lists the services that it implements. Functions and conditionals are declared by the language, because their rules
/// differ; the constant `FUNCTIONS` is the service `FunctionMaterializer` of functions.
#[macro_export]
#[rustfmt::skip]
macro_rules! control_operations {
    (
        function $function:tt, return $return:tt, call $call:tt $(services($($call_services:tt)*))?, yield $yield:tt, tuple $tuple:tt, get $get:tt,
        values $values:ident, tuples $tuples:ident
    ) => {
        /// The functions and tuples of the language, created on behalf of passes.
        const FUNCTIONS: ::minoan_services::OneValueFunctions = ::minoan_services::OneValueFunctions {
            function: $function,
            call: $call,
            return_op: $return,
            tuple: $tuple,
            get: $get,
        };

        /// Returns the value of the function.
        #[::minoan_ir::op(
            $return,
            traits(TERMINATOR, RETURN_LIKE, PURE),
            parents($function),
            assembly = "$value attr-dict `:` type($value)",
            services(::minoan_services::GraphBoundary = ::minoan_services::ReturnBoundary)
        )]
        pub struct Return {
            /// The value.
            #[operand($values)]
            value: Value,
        }

        /// A call by symbol.
        #[::minoan_ir::op(
            $call,
            assembly = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)"
            $(, services($($call_services)*))?
        )]
        pub struct Call {
            /// The symbol of the callee.
            callee: ::minoan_ir::FlatSymbolRef,
            /// One argument per parameter.
            #[operand($values)]
            args: Vec<Value>,
            /// The result.
            #[result($values)]
            result: Value,
        }

        /// Yields the value of a region.
        #[::minoan_ir::op(
            $yield,
            traits(TERMINATOR, RETURN_LIKE, PURE),
            assembly = "$value attr-dict `:` type($value)"
        )]
        pub struct Yield {
            /// The value.
            #[operand($values)]
            value: Value,
        }

        /// Creates a tuple.
        #[::minoan_ir::op(
            $tuple,
            traits(PURE),
            assembly = "`(` $parts `)` attr-dict `:` functional-type($parts, results)",
            infer = $crate::infer_tuple,
            verify = $crate::verify_tuple
        )]
        pub struct MakeTuple {
            /// The components.
            #[operand($values)]
            parts: Vec<Value>,
            /// The tuple.
            #[result($tuples)]
            result: Value,
        }

        /// A component of a tuple, counted from 0.
        #[::minoan_ir::op(
            $get,
            traits(PURE),
            assembly = "$tuple `[` $index `]` attr-dict `:` type($tuple)",
            infer = $crate::infer_get,
            verify = $crate::verify_get
        )]
        pub struct Get {
            /// The tuple.
            #[operand($tuples)]
            tuple: Value,
            /// The index of the component.
            index: i64,
            /// The component.
            #[result($values)]
            result: Value,
        }
    };
}

/// The type of the result of a constant: the type of its value; `expected` is used in messages.
///
/// # Errors
/// The value is missing or has no type.
pub fn infer_constant(input: &InferInput<'_>, expected: &str) -> Result<Vec<Type>, String> {
    let value = input.props.get(input.ctx, input.ctx.name("value"));
    let ty = value.and_then(|value| value.value_type(input.ctx));
    ty.map(|ty| vec![ty]).ok_or_else(|| format!("expects {expected} as its value"))
}

/// Verifies that the value of a constant has the type of the result.
pub fn verify_constant(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let value = view.attr_named("value").and_then(|attr| attr.value_type(ctx));
    if value != view.result_types().next() {
        errors.push("the value must have the type of the result");
    }
}

/// Verifies a function with a body: one block, which takes the arguments and ends with an `R` of the only result.
pub fn verify_function<R: OpDef>(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let ty = view.attr(ctx.names().function_type).and_then(|attr| attr.as_type(ctx));
    let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(ctx)) else { return };
    let &[result] = results else { return errors.push("expected one result") };
    let Some(inside) = view.nested() else { return };
    let blocks: Vec<Block> = inside.region(inside.root(0)).blocks().collect();
    let &[entry] = &blocks[..] else { return errors.push("expected one block") };
    if !inside.block(entry).args().map(|arg| inside.ty(arg)).eq(inputs.iter().copied()) {
        errors.push("entry block arguments must match the function's type");
    }
    match inside.block(entry).last().map(|op| inside.op(op)).filter(|op| op.is::<R>()) {
        None => errors.push(format!("expects its region to end with '{}'", R::SPEC.name)),
        Some(last) if last.operand_types().next() != Some(result) => {
            errors.push(format!("must return a value of type {}", print_type(ctx, result)));
        }
        Some(_) => {}
    }
}

/// Verifies that region `index` takes `args` and ends with a `Y` of a value of type `result`; returns the type of the value.
pub fn verify_region<Y: OpDef>(
    body: &Body,
    op: Op,
    index: usize,
    args: &[Type],
    result: Option<Type>,
    errors: &mut Violations,
) -> Option<Type> {
    let ctx = body.context();
    let show = |ty: Type| print_type(ctx, ty);
    let entry = body.op(op).own_region(index).and_then(|region| body.region(region).entry())?;
    let entry = body.block(entry);
    if !entry.args().map(|arg| body.ty(arg)).eq(args.iter().copied()) {
        let wanted: Vec<String> = args.iter().map(|&ty| show(ty)).collect();
        errors.push(format!("region #{index} must take ({})", wanted.join(", ")));
    }
    let Some(last) = entry.last().map(|op| body.op(op)).filter(|op| op.is::<Y>()) else {
        errors.push(format!("expects region #{index} to end with '{}'", Y::SPEC.name));
        return None;
    };
    let yielded = last.operand_types().next();
    if let (Some(yielded), Some(result)) = (yielded, result)
        && yielded != result
    {
        errors.push(format!("region #{index} must yield {}, but yields {}", show(result), show(yielded)));
    }
    yielded
}

/// Verifies a conditional: both regions have no arguments and yield a value of the type of the result.
pub fn verify_if<Y: OpDef>(body: &Body, op: Op, errors: &mut Violations) {
    let Some(result) = body.op(op).result_types().next() else { return };
    for index in 0..2 {
        verify_region::<Y>(body, op, index, &[], Some(result), errors);
    }
}
