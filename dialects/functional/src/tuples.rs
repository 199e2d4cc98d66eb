//! Type inference and verification of tuple operations, which languages declare under their own names.

use minoan_ir::{Body, InferInput, Op, Type, Violations};

/// Infers the type of a tuple of the operands.
///
/// # Errors
/// Never fails.
pub fn infer_tuple(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    Ok(vec![Type::tuple(input.ctx, input.operands)])
}

/// Verifies that a tuple has the types of its operands.
pub fn verify_tuple(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let parts: Vec<Type> = view.operand_types().collect();
    if view.result_types().next().and_then(|ty| ty.as_tuple(body.context())) != Some(&parts[..]) {
        errors.push("the components of the result must be the types of the operands");
    }
}

/// Infers the type of the component with this index.
///
/// # Errors
/// The index is out of range.
pub fn infer_get(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let parts = input.operands.first().and_then(|ty| ty.as_tuple(input.ctx));
    let index = input.props.get(input.ctx, input.ctx.name("index")).and_then(|index| index.as_i64(input.ctx));
    let part = index.and_then(|index| parts?.get(usize::try_from(index).ok()?).copied());
    part.map(|ty| vec![ty]).ok_or_else(|| "there is no such component".to_owned())
}

/// Verifies that a component has the type of the tuple's component.
pub fn verify_get(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let operands: Vec<Type> = view.operand_types().collect();
    let input = InferInput { ctx: body.context(), operands: &operands, props: view.props() };
    match infer_get(&input) {
        Ok(types) if view.result_types().collect::<Vec<_>>() == types => {}
        Ok(_) => errors.push("the result must have the type of the component"),
        Err(message) => errors.push(message),
    }
}
