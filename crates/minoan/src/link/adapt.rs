//! Adapters: functions of one type that call a function of another type.

use minoan_arith::{CmpIPredicate, cmpi, constant_index};
use minoan_data::assert_values;
use minoan_func::{Call, Func, Return, Visibility};
use minoan_ir::text::print_type;
use minoan_ir::{Builder, Context, DYNAMIC, OpDef, Type, TypeData, Value};
use minoan_tensor::{Cast, Dim, FromElements, extract};

/// The conversion of a value to another type.
#[derive(Clone, Copy)]
enum Step {
    Same,
    /// Static extents become dynamic, or dynamic ones static, which is checked at run time.
    Extents(Type),
    /// From a scalar to a tensor of rank 0.
    Wrap(Type),
    /// From a tensor of rank 0 to a scalar.
    Unwrap,
}

/// An adapter between two function types.
pub(super) struct Adapter {
    wanted: (Vec<Type>, Vec<Type>),
    given: (Vec<Type>, Vec<Type>),
    arguments: Vec<Step>,
    results: Vec<Step>,
}

/// The adapter through which a function of type `given` is called with type `wanted`; `None` if the types are equal.
///
/// # Errors
/// The reason why the types cannot be converted.
pub(super) fn plan(
    ctx: &Context,
    wanted: &(Vec<Type>, Vec<Type>),
    given: &(Vec<Type>, Vec<Type>),
) -> Result<Option<Adapter>, String> {
    if wanted == given {
        return Ok(None);
    }
    let steps = |from: &[Type], to: &[Type], what: &str| {
        if from.len() != to.len() {
            return Err(format!(
                "there are {} {what}s on one side and {} on the other",
                from.len(),
                to.len()
            ));
        }
        let pairs = from.iter().zip(to).enumerate();
        pairs
            .map(|(at, (&from, &to))| {
                step(ctx, from, to).ok_or_else(|| {
                    let (from, to) = (print_type(ctx, from), print_type(ctx, to));
                    format!("{what} {} cannot go from '{from}' to '{to}'", at + 1)
                })
            })
            .collect::<Result<Vec<Step>, String>>()
    };
    let arguments = steps(&wanted.0, &given.0, "argument")?;
    let results = steps(&given.1, &wanted.1, "result")?;
    Ok(Some(Adapter { wanted: wanted.clone(), given: given.clone(), arguments, results }))
}

fn step(ctx: &Context, from: Type, to: Type) -> Option<Step> {
    if from == to {
        return Some(Step::Same);
    }
    match (from.data(ctx), to.data(ctx)) {
        (
            TypeData::RankedTensor { shape: has, element, .. },
            TypeData::RankedTensor { shape: wants, element: other, .. },
        ) => {
            let agree = |(has, wants): (&i64, &i64)| has == wants || *has == DYNAMIC || *wants == DYNAMIC;
            let fits = element == other && has.len() == wants.len() && has.iter().zip(wants).all(agree);
            fits.then_some(Step::Extents(to))
        }
        (TypeData::RankedTensor { shape, element, .. }, _) => {
            (shape.is_empty() && *element == to).then_some(Step::Unwrap)
        }
        (_, TypeData::RankedTensor { shape, element, .. }) => {
            (shape.is_empty() && *element == from).then_some(Step::Wrap(to))
        }
        _ => None,
    }
}

impl Adapter {
    /// Builds the adapter as function `name`, which calls `target`.
    pub(super) fn build(&self, b: &mut Builder<'_>, name: &str, target: &str) {
        let (func, block) = Func::define(b, name, &self.wanted.0, &self.wanted.1, Visibility::Private);
        let mut b = b.inside(func.op(), block);
        let args: Vec<Value> = b.body().block(block).args().collect();
        let convert = |b: &mut Builder<'_>, values: &[Value], steps: &[Step]| {
            values.iter().zip(steps).map(|(&value, step)| step.apply(b, value, name)).collect::<Vec<Value>>()
        };
        let args = convert(&mut b, &args, &self.arguments);
        let call = Call::to(&mut b, target, &args, &self.given.1);
        let results: Vec<Value> = b.body().op(call.op()).results().collect();
        let results = convert(&mut b, &results, &self.results);
        Return::build(&mut b, &results);
    }
}

impl Step {
    fn apply(self, b: &mut Builder<'_>, value: Value, name: &str) -> Value {
        match self {
            Step::Same => value,
            Step::Extents(to) => {
                check_extents(b, value, to, name);
                Cast::build(b, value, to).dest(b.body())
            }
            Step::Wrap(to) => FromElements::build(b, &[value], to).result(b.body()),
            Step::Unwrap => extract(b, value, &[]),
        }
    }
}

/// Asserts that the extents of `value` are the static ones of `to`.
fn check_extents(b: &mut Builder<'_>, value: Value, to: Type, name: &str) {
    let ctx = b.context();
    let has = b.body().ty(value).shape(&ctx).map(<[i64]>::to_vec).unwrap_or_default();
    let wants = to.shape(&ctx).map(<[i64]>::to_vec).unwrap_or_default();
    for (at, (has, wants)) in has.into_iter().zip(wants).enumerate() {
        if has != DYNAMIC || wants == DYNAMIC {
            continue;
        }
        let at = constant_index(b, at as i64);
        let extent = Dim::build(b, value, at).result(b.body());
        let wanted = constant_index(b, wants);
        let equal = cmpi(b, CmpIPredicate::Eq, extent, wanted);
        let message =
            format!("'{name}' is linked to a function that needs an extent of {wants} here, found {{}}");
        assert_values(b, equal, &message, &[extent]);
    }
}
