//! Declarations by types: fields without attributes, enums as attributes, arguments of regions, `dialect!`, services.

use expect_test::{Expect, expect};
use minoan_ir::constraints::{ANY, INDEX};
use minoan_ir::text::{PrintFlags, print_module};
use minoan_ir::verify::verify;
use minoan_ir::{
    Arity, Attr, AttrDef, Builder, Context, DialectBuilder, Loc, Module, OpDef, OpState, Registry, Type,
    attr, dialect, ensure, op, service, ty,
};
use std::sync::Arc;

/// A clock.
#[ty("time.clock", verify = |_: &Context, rate: u32| -> Result<(), String> {
    ensure!(rate > 0, "a clock has at least one tick in a second, not {rate}");
    Ok(())
})]
pub struct Clock {
    /// The ticks in a second.
    rate: u32,
}

/// The origin of a clock's time.
#[attr("time.epoch")]
pub enum Epoch {
    /// In 1970.
    Unix,
    /// When the machine started.
    #[keyword("boot")]
    Start,
}

/// Repeats its region.
#[op("time.every", traits(SINGLE_BLOCK, NO_TERMINATOR), same_types(init, result))]
pub struct Every {
    clock: Operand<Clock>,
    count: Option<Operand<INDEX>>,
    init: Operand<ANY>,
    /// From where the ticks are counted.
    #[attr(default = Epoch::Unix)]
    epoch: Epoch,
    label: Option<String>,
    #[attr(unit)]
    quiet: bool,
    result: OpResult<ANY>,
    #[region(args(clock, init), yields(result))]
    body: Region,
    otherwise: Vec<Region>,
}

/// An alarm, whose parts have the names of variables of generated code.
#[op("time.alarm")]
pub struct Alarm {
    b: Operand<INDEX>,
    ctx: Vec<Operand<ANY>>,
    state: i64,
    value: Option<String>,
    result: OpResult<ANY>,
}

/// The number of ticks that an operation takes.
trait Ticks: Send + Sync {
    fn ticks(&self) -> u32;
}

/// The name of an operation on the face of a clock.
trait Face: Send + Sync {
    fn face(&self) -> &'static str;
}

service!(dyn Ticks, "Ticks", Optional);
service!(dyn Face, "Face", Optional);

impl Ticks for u32 {
    fn ticks(&self) -> u32 {
        *self
    }
}

impl Face for &'static str {
    fn face(&self) -> &'static str {
        self
    }
}

/// The services of operations that end a block.
fn ends<O: OpDef>(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<O, dyn Face>(Arc::new(O::SPEC.name));
}

/// Declares an operation as a table does.
fn declare_pause(dialect: &mut DialectBuilder<'_>) {
    dialect.op::<Pause>().op_service::<Pause, dyn Ticks>(Arc::new(3));
}

/// Waits.
#[op("time.pause")]
pub struct Pause {}

/// Ends an iteration.
#[op("time.next", traits(TERMINATOR, RETURN_LIKE), services(Ticks = 1, ends))]
pub struct Next {
    value: Option<Operand<ANY>>,
}

/// Branches.
#[op("time.jump", traits(TERMINATOR), services(ends,))]
pub struct Jump {
    values: Vec<Operand<ANY>>,
    dest: Block,
}

dialect! {
    /// Clocks.
    pub TimeDialect = "time":
        types(Clock),
        attrs(EpochAttr),
        ops(Alarm, Every, Jump, Next),
        services(Ticks = 0),
        register(declare_pause),
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add(TimeDialect);
    Context::new(registry).expect("one dialect")
}

#[test]
fn types_of_fields_say_what_they_are() {
    let spec = Every::SPEC;
    let operands: Vec<_> =
        spec.operands.iter().map(|of| (of.name, of.arity, of.constraint.to_string())).collect();
    assert_eq!(
        operands,
        [
            ("clock", Arity::One, "a clock".to_owned()),
            ("count", Arity::Optional, "index".to_owned()),
            ("init", Arity::One, "any type".to_owned()),
        ]
    );
    let attrs: Vec<_> = spec.attrs.iter().map(|attr| (attr.name, attr.optional)).collect();
    assert_eq!(attrs, [("epoch", false), ("label", true), ("quiet", true)]);
    let regions: Vec<_> = spec.regions.iter().map(|of| (of.variadic, of.non_empty, of.args)).collect();
    assert_eq!(regions, [(false, true, Some(&[0, 2][..])), (true, false, None)]);
    assert!(Jump::SPEC.operands[0].arity == Arity::Variadic && !Jump::SPEC.successors[0].variadic);
}

#[test]
fn an_enum_is_an_attribute() {
    let ctx = context();
    let start = EpochAttr::get(&ctx, Epoch::Start);
    assert_eq!(minoan_ir::text::print_attr(&ctx, start.into()), "#time.epoch<boot>");
    assert_eq!((start.value(&ctx), EpochAttr::SPEC.summary), (Epoch::Start, "The origin of a clock's time."));
}

#[test]
fn a_closure_verifies_a_type() {
    let ctx = context();
    let error = Clock::checked(&ctx, 0).expect_err("the rate is zero");
    assert_eq!(error.message, "a clock has at least one tick in a second, not 0");
}

#[test]
fn services_are_declared_one_by_one_in_groups_and_by_functions() {
    let ctx = context();
    let ticks = |kind| ctx.service::<dyn Ticks>(kind).map(Ticks::ticks);
    let face = |kind| ctx.service::<dyn Face>(kind).map(Face::face);
    let (next, jump) = (ctx.kind_of::<Next>(), ctx.kind_of::<Jump>());
    assert_eq!((ticks(next), face(next)), (Some(1), Some("time.next")));
    assert_eq!((ticks(jump), face(jump)), (Some(0), Some("time.jump")));
    let (every, pause) = (ctx.kind_of::<Every>(), ctx.kind_of::<Pause>());
    assert_eq!((ticks(every), face(every)), (Some(0), None));
    assert_eq!((ticks(pause), face(pause)), (Some(3), None));
}

/// The errors of a `time.every` with these arguments of its region, of which it yields the last.
fn check(want: Expect, args: &[Type]) {
    let ctx = context();
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let clock = Clock::get(&ctx, 60);
    let made = b.create(OpState::named(&ctx, "other.make").results(&[clock.into(), Type::F32]));
    let [tick, init] = [0, 1].map(|index| b.body().op(made).result(index));
    assert_eq!(Clock::of(b.body(), tick), clock);
    let every = Every::builder(tick, init).label("x".to_owned()).build(&mut b);
    assert_eq!((every.epoch(b.body()), b.ty(every.result(b.body()))), (Epoch::Unix, Type::F32));
    let (entry, outside) = b.enter(every.op(), 0, args);
    let last = b.body().block(entry).args().next_back();
    Next::build(&mut b, last);
    b.set_insertion_point(outside);
    let messages = match verify(&module) {
        Ok(()) => String::new(),
        Err(errors) => errors.iter().map(|error| error.message.clone()).collect::<Vec<_>>().join("\n"),
    };
    want.assert_eq(&messages);
}

#[test]
fn rule_36_arguments_and_yields_of_regions() {
    let ctx = context();
    let clock: Type = Clock::get(&ctx, 60).into();
    check(expect![""], &[clock, Type::F32]);
    check(
        expect![[r#"
            'time.every' op expects arguments of region #0 to be of types '!time.clock<60>', 'f32', found '!time.clock<60>'
            'time.every' op expects 'time.next' in region #0 to yield types 'f32', found '!time.clock<60>'"#]],
        &[clock],
    );
    check(
        expect![[r#"
            'time.every' op expects arguments of region #0 to be of types '!time.clock<60>', 'f32', found none
            'time.every' op expects 'time.next' in region #0 to yield types 'f32', found none"#]],
        &[],
    );
}

#[test]
fn attributes_and_their_defaults_are_printed() {
    let ctx = context();
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let clock: Type = Clock::get(&ctx, 1).into();
    let made = b.create(OpState::named(&ctx, "other.make").results(&[clock]));
    let tick = b.body().op(made).result(0);
    let every = Every::builder(tick, tick).epoch(Epoch::Start).build(&mut b);
    assert_eq!(
        b.body().op(every.op()).attr_named("epoch"),
        Some(Attr::from(EpochAttr::get(&ctx, Epoch::Start)))
    );
    assert!(print_module(&module, &PrintFlags::default()).contains("epoch = #time.epoch<boot>"));
}

#[test]
fn fields_may_have_the_names_of_generated_variables() {
    let ctx = context();
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let made = b.create(OpState::named(&ctx, "other.make").results(&[Type::INDEX]));
    let time = b.body().op(made).result(0);
    let first = Alarm::build(&mut b, time, &[time], 7, None, Type::F32);
    let by_name = Alarm::builder(time, 8, Type::F32).ctx(&[time, time]).build(&mut b);
    let called = alarm(&mut b, time, &[], 9, Type::F32);
    let body = module.body();
    assert_eq!((first.b(body), first.state(body), by_name.state(body)), (time, 7, 8));
    assert_eq!(body.op(by_name.op()).n_operands(), 3);
    assert_eq!(body.ty(called), Type::F32);
    verify(&module).expect("they are valid");
}
