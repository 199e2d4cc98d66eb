//! Function constants and indirect calls.

use crate::{Func, services};
use minoan_ir::constraints::{ANY, FUNCTION};
use minoan_ir::text::{AsmNames, OpParser, OpPrinter, ParseError};
use minoan_ir::{
    Array, Body, Dictionary, FlatSymbolRef, Name, Op, OpRef, SymbolUser, Type, Value, Violation, Violations,
    op,
};
use minoan_services::{Calls, Evaluate, Ownership};

/// A function as a value: `func.constant @f : (i32) -> f32`.
#[op(
    "func.constant",
    traits(PURE, CONSTANT_LIKE),
    assembly = "attr-dict $value `:` type(results)",
    services(Evaluate = services::EvaluateConstant, AsmNames = NamedF, SymbolUser = NamesFunction)
)]
pub struct Constant {
    /// The symbol of the function.
    value: FlatSymbolRef,
    /// The function value.
    result: OpResult<ANY>,
}

/// Verifies that the symbol of a [`Constant`] refers to a function of its type.
pub(crate) struct NamesFunction;

impl SymbolUser for NamesFunction {
    fn check<'a>(&self, op: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation> {
        let ctx = op.context();
        let name = op.attr(ctx.names().value)?.as_flat_symbol(ctx)?;
        let Some(func) = declared(name).filter(|func| func.is::<Func>()) else {
            return Some(format!("reference to undefined function '{}'", name.as_str(ctx)).into());
        };
        let ty = func.attr(ctx.names().function_type).and_then(|attr| attr.as_type(ctx));
        let fits = ty == op.result_types().next();
        (!fits).then(|| Violation::from("reference to function with mismatched type").about_result(0))
    }
}

/// Suggests the name `%f` for a function value.
pub(crate) struct NamedF;

impl AsmNames for NamedF {
    fn result_names(&self, _: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        set(0, "f");
    }
}

/// An indirect call: `func.call_indirect %f(%x) : (i32) -> f32`.
#[op(
    "func.call_indirect",
    assembly = custom(parse_call, print_call),
    verify = verify_call,
    services(Calls = services::IndirectCalls, Evaluate = services::EvaluateCallIndirect, Ownership = services::CallOwnership)
)]
pub struct CallIndirect {
    /// The callee.
    callee: Operand<FUNCTION>,
    /// The arguments.
    callee_operands: Vec<Operand<ANY>>,
    /// The attributes of the arguments, a dictionary for each.
    arg_attrs: Option<Array<Dictionary>>,
    /// The attributes of the results, a dictionary for each.
    res_attrs: Option<Array<Dictionary>>,
    /// The results.
    results: Vec<OpResult<ANY>>,
}

fn parse_call(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let callee = p.operand()?;
    p.punct("(")?;
    let args = p.operand_list()?;
    p.punct(")")?;
    p.attr_dict()?;
    p.punct(":")?;
    let span = p.span();
    let ty = p.ty()?;
    let Some((inputs, results)) = ty.as_function(p.ctx()) else {
        let found = minoan_ir::text::print_type(p.ctx(), ty);
        return Err(p.error_at(
            span,
            format!("invalid kind of type specified: expected builtin.function, but found '{found}'"),
        ));
    };
    p.add_operands(&[callee], &[ty])?;
    p.add_operands(&args, inputs)?;
    p.add_results(results);
    Ok(())
}

fn print_call(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (p.op(), p.body());
    let operands: Vec<Value> = op.operands().collect();
    let Some((&callee, args)) = operands.split_first() else { return };
    p.text(" ");
    p.value(callee);
    p.text("(");
    p.values(args);
    p.text(")");
    p.attr_dict(&[]);
    p.text(" : ");
    p.ty(body.ty(callee));
}

fn verify_call(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let Some((inputs, results)) = body.ty(view.operand(0)).as_function(body.context()) else { return };
    let given: Vec<Type> = view.operand_types().skip(1).collect();
    if given != inputs {
        errors.push("failed to verify that callee input types match argument types");
    }
    if !view.result_types().eq(results.iter().copied()) {
        errors.push("failed to verify that callee result types match result types");
    }
}
