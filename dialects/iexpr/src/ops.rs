//! `iexpr.expr`: declaration, assembly and verifier.

use crate::evaluate;
use crate::expr::Expr;
use crate::operator::Class;
use crate::parse::parse;
use crate::plan::Plan;
use crate::problem::{Places, Problem, span};
use crate::rules::check;
use minoan_ir::constraints::RANKED_TENSOR;
use minoan_ir::text::{OpParser, OpPrinter, ParseError, print_type};
use minoan_ir::{
    Array, Attr, Body, Builder, Context, DYNAMIC, Op, OpRef, OpState, Type, Value, Violations, op,
};
use minoan_services::{EffectSet, Effects, Evaluate};

/// An i-expression on tensors.
///
/// `iexpr.expr "+ij~i"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>`. Numeric operators return floats, comparisons and
/// logical operators `i1`, an expression without operator its operand's type. Numeric operators and comparisons read
/// `i1` as 0 and 1; logical operators only accept `i1`. Inconsistent extents of an index stop the program. `splits`
/// and `loops` are the schedule.
#[op(
    "iexpr.expr",
    assembly = custom(parse_expr, print_expr),
    verify = verify_expr,
    // It stops the program if extents are inconsistent.
    services(Evaluate = evaluate::EvaluateExpr, Effects = EffectSet::OUTSIDE)
)]
pub struct ExprOp {
    /// The tensor operands.
    arguments: Vec<Operand<RANKED_TENSOR>>,
    /// The operator's symbol; absent for pure data movement.
    operator: Option<String>,
    /// A pattern for each operand: the name of each dimension, or `.` for a scalar.
    inputs: Array<String>,
    /// The pattern of the result.
    output: String,
    /// `i:2:4` for each split axis.
    splits: Option<Array<String>>,
    /// The loops and the actions between them.
    loops: Option<String>,
    /// The result.
    result: OpResult<RANKED_TENSOR>,
}

const ATTRIBUTES: [&str; 5] = ["operator", "inputs", "output", "splits", "loops"];

impl ExprOp {
    /// Creates the operation; the result shape is inferred. `float` is the element type of computed numbers.
    ///
    /// # Errors
    /// The operands do not match the expression.
    pub fn with(b: &mut Builder<'_>, expr: &Expr, operands: &[Value], float: Type) -> Result<Value, String> {
        let ctx = b.context();
        let types: Vec<Type> = operands.iter().map(|&value| b.ty(value)).collect();
        let element = result_element(&ctx, expr, &types, float)?;
        let shape = result_shape(&ctx, expr, &types)?;
        let attrs = attributes(&ctx, expr);
        let attrs: Vec<(&str, Option<Attr>)> =
            attrs.into_iter().map(|(name, attr)| (name, Some(attr))).collect();
        let props = b.dictionary(&attrs);
        let state = OpState::new(ctx.kind_of::<ExprOp>()).operands(operands).props(props);
        let op = b.create(state.results(&[Type::tensor(&ctx, &shape, element)]));
        Ok(b.body().op(op).result(0))
    }

    /// The expression, with the positions of its parts in its text.
    ///
    /// # Errors
    /// The attributes are malformed.
    pub fn expr(op: OpRef<'_>) -> Result<(Expr, Places), Problem> {
        let ctx = op.context();
        let text = |name: &str| op.attr_value::<String>(name).unwrap_or_default();
        let list = |name: &str| -> Vec<&str> {
            op.attr_value::<Array<String>>(name).map_or_else(Vec::new, |list| list.iter().collect())
        };
        let operator = text("operator");
        let mut written = match list("inputs").len() {
            2 => list("inputs").join(operator),
            1 => format!("{operator}{}", list("inputs").concat()),
            other => {
                return Err(Problem::new(
                    0..0,
                    format!("an expression has one or two inputs, found {other}"),
                ));
            }
        };
        written.push_str(&format!("~{}", text("output")));
        if op.attr_named("splits").is_some() || op.attr_named("loops").is_some() {
            written.push_str(&format!("|{}|{}", list("splits").join(","), text("loops")));
        }
        let (expr, places) = parse(&written)?;
        let expected = attributes(ctx, &expr);
        let expected = |name: &str| expected.iter().find(|(other, _)| *other == name).map(|&(_, attr)| attr);
        match ATTRIBUTES.into_iter().find(|name| op.attr_named(name) != expected(name)) {
            None => Ok((expr, places)),
            Some(name) => Err(Problem::new(0..0, format!("'{name}' is not that of `{expr}`"))),
        }
    }
}

fn attributes(ctx: &Context, expr: &Expr) -> Vec<(&'static str, Attr)> {
    let string = |text: &str| Attr::string(ctx, text);
    let inputs: Vec<Attr> = expr.inputs.iter().map(|input| string(&input.to_string())).collect();
    let mut attrs = vec![("inputs", Attr::array(ctx, &inputs)), ("output", string(&expr.output.to_string()))];
    if let Some(operator) = expr.operator {
        attrs.push(("operator", string(operator.symbol())));
    }
    if let Some((splits, loops)) = expr.schedule_text() {
        let splits: Vec<Attr> = splits.iter().map(|split| string(split)).collect();
        attrs.push(("splits", Attr::array(ctx, &splits)));
        attrs.push(("loops", string(&loops)));
    }
    attrs
}

fn parse_expr(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let at = p.span();
    let text = String::from_utf8_lossy(&p.string()?).into_owned();
    // Positions refer to the text between the quotes, which needs no escapes.
    let tell = |p: &OpParser<'_, '_>, problem: &Problem| {
        p.error_at(span(at.file, at.start + 1, &problem.at), &*problem.message)
    };
    let (expr, places) = parse(&text).map_err(|problem| tell(p, &problem))?;
    let errors: Vec<ParseError> = check(&expr, &places).iter().map(|problem| tell(p, problem)).collect();
    if let Some(error) = errors.into_iter().next() {
        return Err(error);
    }
    for (name, attr) in attributes(p.ctx(), &expr) {
        p.set_attr(name, attr);
    }
    p.punct("(")?;
    let names = p.operand_list()?;
    p.punct(")")?;
    p.attr_dict()?;
    p.punct(":")?;
    let ty = p.ty()?;
    let ctx = p.ctx();
    let Some((inputs, results)) = ty.as_function(ctx) else {
        return Err(p.error("expected a function type"));
    };
    p.add_operands(&names, inputs)?;
    p.add_results(results);
    Ok(())
}

fn print_expr(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let text = ExprOp::expr(op).map_or_else(|_| "<invalid>".to_owned(), |(expr, _)| expr.to_string());
    p.text(" ");
    p.string(text.as_bytes());
    p.text("(");
    let operands: Vec<Value> = op.operands().collect();
    p.values(&operands);
    p.text(")");
    p.attr_dict(&ATTRIBUTES);
    p.text(" : ");
    let (inputs, results): (Vec<Type>, Vec<Type>) =
        (op.operand_types().collect(), op.result_types().collect());
    p.functional_type(&inputs, &results);
}

fn verify_expr(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let (expr, places) = match ExprOp::expr(view) {
        Ok(parsed) => parsed,
        Err(problem) => return errors.push(format!("has a malformed expression: {}", problem.message)),
    };
    let problems = check(&expr, &places);
    if !problems.is_empty() {
        return problems.iter().for_each(|problem| errors.push(format!("`{expr}`: {}", problem.message)));
    }
    let types: Vec<Type> = view.operand_types().collect();
    let Some(result) = view.result_types().next() else { return };
    let float = result.element_or_self(ctx);
    let element = match result_element(ctx, &expr, &types, float) {
        Ok(element) => element,
        Err(message) => return errors.push(format!("`{expr}`: {message}")),
    };
    let expected = match result_shape(ctx, &expr, &types) {
        Ok(shape) => Type::tensor(ctx, &shape, element),
        Err(message) => return errors.push(format!("`{expr}`: {message}")),
    };
    if expected != result {
        let show = |ty| print_type(ctx, ty);
        errors.push(format!("`{expr}`: expected a result of {}, but got {}", show(expected), show(result)));
    }
}

fn is_float(ty: Type) -> bool {
    ty == Type::F32 || ty == Type::F64
}

/// The element type of the result; `float` is that of numbers, unless an operand determines it.
fn result_element(ctx: &Context, expr: &Expr, operands: &[Type], float: Type) -> Result<Type, String> {
    if operands.len() != expr.inputs.len() {
        return Err(format!("expected {} operands, but got {}", expr.inputs.len(), operands.len()));
    }
    let elements: Vec<Type> = operands.iter().map(|ty| ty.element_or_self(ctx)).collect();
    for (index, &element) in elements.iter().enumerate() {
        if element != Type::I1 && !is_float(element) {
            return Err(format!(
                "operand #{index} has elements of {}, expected f32, f64 or i1",
                print_type(ctx, element)
            ));
        }
    }
    let mut floats = elements.iter().copied().filter(|&element| is_float(element));
    let known = floats.next();
    if let (Some(first), Some(second)) = (known, floats.next())
        && first != second
    {
        return Err(format!(
            "operands are of {} and of {}, but must be of one type of numbers",
            print_type(ctx, first),
            print_type(ctx, second)
        ));
    }
    let Some(operator) = expr.operator else { return Ok(elements[0]) };
    match operator.class() {
        Class::Comparison => Ok(Type::I1),
        Class::Logical => match elements.iter().position(|&element| element != Type::I1) {
            None => Ok(Type::I1),
            Some(index) => Err(format!(
                "operator `{operator}` takes truth values, but operand #{index} has elements of {}",
                print_type(ctx, elements[index])
            )),
        },
        Class::Numeric if is_float(known.unwrap_or(float)) => Ok(known.unwrap_or(float)),
        Class::Numeric => {
            Err(format!("operator `{operator}` gives f32 or f64, not {}", print_type(ctx, float)))
        }
    }
}

/// The shape of the result: an extent is static if any of its occurrences is.
fn result_shape(ctx: &Context, expr: &Expr, operands: &[Type]) -> Result<Vec<i64>, String> {
    let plan = Plan::of(&expr.semantics());
    let mut extents: Vec<Option<(i64, usize, usize)>> = vec![None; plan.axes.len()];
    for (input, (axes, ty)) in plan.inputs.iter().zip(operands).enumerate() {
        let shape = ty.shape(ctx).unwrap_or_default();
        if shape.len() != axes.len() {
            return Err(format!(
                "operand #{input} has rank {}, but `{}` names {} dimensions",
                shape.len(),
                expr.inputs[input],
                axes.len()
            ));
        }
        for (dimension, (&axis, &extent)) in axes.iter().zip(shape).enumerate() {
            match extents[axis] {
                _ if extent == DYNAMIC => {}
                None => extents[axis] = Some((extent, input, dimension)),
                Some((other, at, place)) if other != extent => {
                    return Err(format!(
                        "index `{}` is {other} in dimension {place} of operand #{at}, but {extent} in dimension {dimension} of operand #{input}",
                        plan.axes[axis]
                    ));
                }
                Some(_) => {}
            }
        }
    }
    Ok(extents[..plan.rank()].iter().map(|known| known.map_or(DYNAMIC, |(extent, ..)| extent)).collect())
}
