//! The forms of an operation: its types and attributes.

use minoan::ir::text::{PrintFlags, print_module};
use minoan::ir::verify::verify_op;
use minoan::ir::{
    Arity, Attr, AttrSyntax, Builder, Context, InferInput, Loc, Module, OpKind, OpState, Param, ParamKind,
    ParamSpec, Type, TypeOrAttr, Value,
};
use minoan_func::Func;
use minoan_services::Visibility;

/// An operation with types and attributes.
pub struct Form {
    pub kind: OpKind,
    pub operands: Vec<Type>,
    pub results: Vec<Type>,
    pub props: Attr,
}

impl Form {
    /// The operation as text, with the signature of its function.
    pub fn text(&self, ctx: &Context) -> String {
        let mut module = Module::new(ctx, Loc::UNKNOWN);
        let block = module.block();
        let mut b = Builder::at_end(module.body_mut(), block);
        super::add_function(&mut b, "form", self);
        let name = ctx.kind_name(self.kind);
        let text = print_module(&module, &PrintFlags::default());
        text.lines().find(|line| line.contains(name)).unwrap_or(&text).trim().to_owned()
    }
}

/// The types of scalars: those that machine code has, and integers of other widths.
pub fn types(ctx: &Context) -> Vec<Type> {
    let widths = [1, 3, 8, 16, 24, 32, 64, 65, 129].map(|width| Type::integer(ctx, width));
    let others = [Type::INDEX, Type::F16, Type::BF16, Type::F32, Type::F64];
    widths.into_iter().chain(others).collect()
}

/// The lists with one of the given choices at each place.
fn product<T: Clone>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |lists, choices| {
        let longer = |list: &Vec<T>, choice: &T| list.iter().chain([choice]).cloned().collect();
        lists.iter().flat_map(|list| choices.iter().map(move |choice| longer(list, choice))).collect()
    })
}

/// The forms of a kind of operation that its verifier accepts.
pub fn of(ctx: &Context, kind: OpKind) -> Vec<Form> {
    let spec = ctx.spec(kind).expect("it is registered");
    assert!(spec.operands.iter().chain(spec.results).all(|value| value.arity == Arity::One));
    let types = types(ctx);
    let allowed = |value: &minoan::ir::ValueSpec| -> Vec<Type> {
        types.iter().copied().filter(|&ty| value.constraint.holds(ctx, ty)).collect()
    };
    let operands: Vec<Vec<Type>> = spec.operands.iter().map(allowed).collect();
    let results: Vec<Vec<Type>> = spec.results.iter().map(allowed).collect();
    let mut forms = Vec::new();
    let mut scratch = Scratch::new(ctx);
    for operands in product(&operands) {
        let mut all_props = props(ctx, kind).into_iter();
        let first = all_props.next().expect("each attribute has a value");
        let input = InferInput { ctx, operands: &operands, props: first };
        let results = match spec.infer_types(&input) {
            Some(inferred) => inferred.into_iter().collect(),
            None => product(&results),
        };
        let rest: Vec<Attr> = all_props.collect();
        for results in results {
            let form = |props| Form { kind, operands: operands.clone(), results: results.clone(), props };
            // A constant has the type of its value, so that the first one is no sign for the others.
            let is_constant = operands.is_empty();
            if scratch.accepts(&form(first)) {
                forms.push(form(first));
            } else if !is_constant {
                continue;
            }
            forms.extend(rest.iter().map(|&props| form(props)).filter(|form| scratch.accepts(form)));
        }
    }
    forms
}

/// The attributes of the forms: one for all, then each value of each attribute beside that.
fn props(ctx: &Context, kind: OpKind) -> Vec<Attr> {
    let (spec, info) = (ctx.spec(kind).expect("registered"), ctx.info(kind).expect("registered"));
    let choices: Vec<Vec<Option<Attr>>> = spec
        .attrs
        .iter()
        .enumerate()
        .map(|(index, attr)| {
            let default = info.default_attr(ctx, index);
            let absent = (default.is_some() || attr.optional).then_some(default);
            let given = values(ctx, attr.constraint.syntax).into_iter().map(Some);
            absent.into_iter().chain(given).collect()
        })
        .collect();
    let dictionary = |chosen: &[Option<Attr>]| {
        let named = spec.attrs.iter().zip(chosen);
        let entries: Vec<_> =
            named.filter_map(|(attr, value)| Some((ctx.name(attr.name), (*value)?))).collect();
        if entries.is_empty() { Attr::EMPTY } else { Attr::dictionary(ctx, &entries) }
    };
    let base: Vec<Option<Attr>> = choices
        .iter()
        .map(|choices| *choices.first().expect("an attribute of a kind that this test knows"))
        .collect();
    let mut all = vec![dictionary(&base)];
    for (at, choices) in choices.iter().enumerate() {
        for &choice in &choices[1..] {
            let mut chosen = base.clone();
            chosen[at] = choice;
            all.push(dictionary(&chosen));
        }
    }
    all
}

/// The values that an attribute may have.
fn values(ctx: &Context, syntax: AttrSyntax) -> Vec<Attr> {
    match syntax {
        AttrSyntax::Unit => vec![Attr::UNIT],
        AttrSyntax::EnumInteger(ty, cases) => {
            cases.iter().map(|&(_, number)| Attr::integer(ctx, number, ty)).collect()
        }
        AttrSyntax::Declared(spec) => {
            let [ParamSpec { kind: ParamKind::Flags(cases) | ParamKind::Enum(cases), .. }] = spec.params
            else {
                return Vec::new();
            };
            let attr = |&(_, number): &(&str, i64)| match minoan::ir::generated::data(
                ctx,
                spec,
                vec![Param::Int(number)].into(),
            ) {
                Ok(TypeOrAttr::Attr(attr)) => Some(attr),
                _ => None,
            };
            let all = cases.cases.iter().fold(0, |all, case| all | case.1);
            let all = matches!(spec.params[0].kind, ParamKind::Flags(_)).then_some(("all", all));
            cases.cases.iter().chain(&all).filter_map(attr).collect()
        }
        // A number.
        AttrSyntax::Any => {
            let number = |ty: Type| match ty.is_float(ctx) {
                true => Attr::float(ctx, -1.5, ty),
                false => Attr::integer(ctx, 1, ty),
            };
            types(ctx).into_iter().map(number).collect()
        }
        _ => Vec::new(),
    }
}

/// A function in which forms are verified.
struct Scratch {
    module: Module,
    func: Func,
    args: Vec<Value>,
}

impl Scratch {
    fn new(ctx: &Context) -> Self {
        let mut module = Module::new(ctx, Loc::UNKNOWN);
        let block = module.block();
        let mut b = Builder::at_end(module.body_mut(), block);
        let (func, entry) = Func::define(&mut b, "scratch", &types(ctx), &[], Visibility::Public);
        let inside = module.body().nested(minoan::ir::OpDef::op(func)).expect("a function owns its body");
        let args = inside.block(entry).args().collect();
        Self { module, func, args }
    }

    /// Whether the verifier accepts an operation.
    fn accepts(&mut self, form: &Form) -> bool {
        let ctx = self.module.context().clone();
        let inside = self.module.body_mut().nested_mut(minoan::ir::OpDef::op(self.func));
        let inside = inside.expect("a function owns its body");
        let known = types(&ctx);
        let operand = |ty: &Type| self.args[known.iter().position(|one| one == ty).expect("a known type")];
        let operands: Vec<Value> = form.operands.iter().map(operand).collect();
        let entry = inside.regions().next().and_then(|region| inside.region(region).entry());
        let mut b = Builder::at_end(inside, entry.expect("an entry block"));
        let state = OpState::new(form.kind).operands(&operands).props(form.props);
        let op = b.create(state.results(&form.results));
        let accepted = verify_op(b.body(), op).is_ok();
        b.body_mut().erase(op);
        accepted
    }
}
