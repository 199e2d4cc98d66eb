//! The operations.

use minoan_ir::constraints::ANY;
use minoan_ir::text::print_type;
use minoan_ir::{Array, FlatSymbolRef, Name, OpRef, SymbolUser, Traits, Type, Violation, op};
use minoan_services::{
    DerivativeRule, DiffMode, DiffRequest, DiffRule, Differentiate, EffectSet, Effects, Evaluate, EvaluateFn,
    Flow, has_tangent,
};

macro_rules! requests {
    ($($doc:literal $name:ident $full:literal $seeds:literal $results:literal { $($attrs:tt)* })*) => {$(
        #[doc = $doc]
        #[op(
            $full,
            traits(OPERAND_SEGMENTS),
            assembly = "$callee `(` $args `)` `` `(` $seeds `)` attr-dict `:` functional-type(operands, results)",
            services(SymbolUser = RequestFits)
        )]
        pub struct $name {
            /// The function.
            callee: FlatSymbolRef,
            /// The arguments to differentiate with respect to, by index; by default all with a tangent.
            wrt: Option<Array<i64>>,
            $($attrs)*
            /// The arguments of the function.
            args: Vec<Operand<ANY>>,
            #[doc = $seeds]
            seeds: Vec<Operand<ANY>>,
            #[doc = $results]
            results: Vec<OpResult<ANY>>,
        }
    )*};
}

requests! {
    "The tangents of a function's results: the derivative in the direction of tangents of its arguments." Fwd "diff.fwd"
        "The tangents of the arguments, several times for several directions." "The tangents of the results that have one, for each direction." {}
    "The results of a function and their tangents." ValueAndFwd "diff.value_and_fwd"
        "The tangents of the arguments, several times for several directions." "The results, then the tangents of those that have one, for each direction." {}
    "The cotangents of a function's arguments: the gradient, weighted by cotangents of its results." Rev "diff.rev"
        "The cotangents of the results that have one." "The cotangents of the arguments." {
            /// Whether the cotangents of all results are ones, which are then not operands: the gradient of the sum of all numbers.
            #[attr(unit)]
            ones: bool,
        }
    "The results of a function and the cotangents of its arguments." ValueAndRev "diff.value_and_rev"
        "The cotangents of the results that have one." "The results of the function, then the cotangents of the arguments." {
            /// Whether the cotangents of all results are ones, which are then not operands: the gradient of the sum of all numbers.
            #[attr(unit)]
            ones: bool,
        }
}

/// Declares that a function computes a derivative of another function.
///
/// `diff.rule @f "fwd" by @df`: the function has the operands and results of `diff.fwd @f`, or of `diff.rev @f`, with respect
/// to all arguments.
#[op(
    "diff.rule",
    assembly = "$of $mode `by` $derivative attr-dict",
    // A declaration is not dead, although it has no results.
    services(Effects = EffectSet::OUTSIDE, SymbolUser = RuleFits)
)]
pub struct Rule {
    /// The function.
    of: FlatSymbolRef,
    /// `"fwd"` or `"rev"`.
    mode: String,
    /// The function that computes the derivative.
    derivative: FlatSymbolRef,
}

/// Returns the operand; derivatives treat the result as a constant.
#[op(
    "diff.stop",
    traits(PURE, SAME_OPERANDS_AND_RESULT),
    assembly = "$value attr-dict `:` type($value)",
    services(
        Evaluate = EvaluateFn(|_, operands, _| Ok(Flow::Next(operands.to_vec()))),
        Differentiate = DerivativeRule::zero(),
    )
)]
pub struct Stop {
    /// The value.
    value: Operand<ANY>,
    /// The same value.
    result: OpResult<ANY>,
}

/// A value that `differentiate` replaces before it ends.
#[op("diff.placeholder", traits(PURE), assembly = "attr-dict `:` type($result)")]
pub struct Placeholder {
    /// The value.
    result: OpResult<ANY>,
}

pub(crate) fn request(op: OpRef<'_>) -> Option<DiffRequest> {
    let (mode, value) = match op {
        op if op.is::<Fwd>() => (DiffMode::Forward, false),
        op if op.is::<ValueAndFwd>() => (DiffMode::Forward, true),
        op if op.is::<Rev>() => (DiffMode::Reverse, false),
        op if op.is::<ValueAndRev>() => (DiffMode::Reverse, true),
        _ => return None,
    };
    let callee = op.attr_value::<FlatSymbolRef>("callee")?;
    let wrt = op
        .attr_value::<Array<i64>>("wrt")
        .and_then(|wrt| wrt.iter().map(|at| usize::try_from(at).ok()).collect());
    let ones = mode == DiffMode::Reverse && op.attr_named("ones").is_some();
    Some(DiffRequest { callee, mode, value, wrt, ones })
}

pub(crate) fn rule(op: OpRef<'_>) -> Option<DiffRule> {
    let (rule, body) = (op.cast::<Rule>()?, op.body());
    let mode = mode_of(rule.mode(body))?;
    Some(DiffRule { of: rule.of(body), mode, derivative: rule.derivative(body) })
}

fn mode_of(word: &str) -> Option<DiffMode> {
    match word {
        "fwd" => Some(DiffMode::Forward),
        "rev" => Some(DiffMode::Reverse),
        _ => None,
    }
}

/// The arguments and results of a function.
type Signature = (Vec<Type>, Vec<Type>);

fn signature(op: OpRef<'_>) -> Option<Signature> {
    let ctx = op.context();
    if !op.has_trait(Traits::FUNCTION_LIKE) {
        return None;
    }
    let ty = op.attr(ctx.names().function_type)?.as_type(ctx)?;
    let (inputs, results) = ty.as_function(ctx)?;
    Some((inputs.to_vec(), results.to_vec()))
}

/// The operands and results of a derivative of a function.
/// Forward mode takes several tangents of each argument and returns several tangents of each result, one per direction, if
/// `seeds`, the number of given tangents, is a multiple of the number of arguments with a tangent.
fn derivative(
    op: OpRef<'_>,
    request: &DiffRequest,
    (args, results): Signature,
    seeds: usize,
) -> Result<Signature, String> {
    let ctx = op.context();
    let is_active = |&ty: &Type| has_tangent(ctx, ty);
    let wrt: Vec<Type> = match &request.wrt {
        None => args.iter().copied().filter(is_active).collect(),
        Some(wrt) => {
            if !wrt.is_sorted_by(|a, b| a < b) {
                return Err("expects the arguments of 'wrt' in ascending order".to_owned());
            }
            let chosen = |&at: &usize| match args.get(at) {
                None => Err(format!("'wrt' names argument #{at} of a function with {}", args.len())),
                Some(ty) if is_active(ty) => Ok(*ty),
                Some(&ty) => Err(format!(
                    "'wrt' names argument #{at}, but values of type '{}' have no tangent",
                    print_type(ctx, ty)
                )),
            };
            wrt.iter().map(chosen).collect::<Result<_, _>>()?
        }
    };
    let lanes = if wrt.is_empty() { 1 } else { (seeds / wrt.len()).max(1) };
    let active: Vec<Type> = results.iter().copied().filter(is_active).collect();
    let mut out = if request.value { results } else { Vec::new() };
    let mut operands = args;
    match request.mode {
        DiffMode::Forward => {
            for _ in 0..lanes {
                operands.extend(&wrt);
                out.extend(&active);
            }
        }
        DiffMode::Reverse => {
            operands.extend(active.into_iter().filter(|_| !request.ones));
            out.extend(wrt);
        }
    }
    Ok((operands, out))
}

/// Compares the types of a list with those expected.
fn compare(op: OpRef<'_>, what: &str, have: &[Type], want: &[Type]) -> Option<Violation> {
    let ctx = op.context();
    if have.len() != want.len() {
        return Some(format!("expects {} {what}s, but has {}", want.len(), have.len()).into());
    }
    let at = have.iter().zip(want).position(|(have, want)| have != want)?;
    let (have, want) = (print_type(ctx, have[at]), print_type(ctx, want[at]));
    Some(format!("{what} #{at} must be '{want}', but got '{have}'").into())
}

/// Verifies a request against the signature of the function.
pub(crate) struct RequestFits;

impl SymbolUser for RequestFits {
    fn check<'a>(&self, op: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation> {
        let ctx = op.context();
        let request = request(op)?;
        let Some(signature) = declared(request.callee).and_then(signature) else {
            return Some(
                format!("'{}' does not reference a valid function", request.callee.as_str(ctx)).into(),
            );
        };
        let (operands, results) = match derivative(op, &request, signature, op.operand_group(1).len()) {
            Ok(types) => types,
            Err(message) => return Some(message.into()),
        };
        let have: Vec<Type> = op.operand_types().collect();
        let given: Vec<Type> = op.result_types().collect();
        compare(op, "operand", &have, &operands).or_else(|| compare(op, "result", &given, &results))
    }
}

/// Verifies that a declared derivative has the type of one.
pub(crate) struct RuleFits;

impl SymbolUser for RuleFits {
    fn check<'a>(&self, op: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation> {
        let ctx = op.context();
        let Some(rule) = rule(op) else { return Some("expects mode \"fwd\" or \"rev\"".to_owned().into()) };
        let find = |name: Name| match declared(name).and_then(signature) {
            Some(found) => Ok(found),
            None => Err(format!("'{}' does not reference a valid function", name.as_str(ctx))),
        };
        let request = DiffRequest { callee: rule.of, mode: rule.mode, value: false, wrt: None, ones: false };
        let types =
            find(rule.of).and_then(|of| Ok((derivative(op, &request, of, 0)?, find(rule.derivative)?)));
        match types {
            Err(message) => Some(message.into()),
            Ok((want, have)) => compare(op, "argument of the derivative", &have.0, &want.0)
                .or_else(|| compare(op, "result of the derivative", &have.1, &want.1)),
        }
    }
}
