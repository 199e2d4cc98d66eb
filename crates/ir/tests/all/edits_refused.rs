//! Invalid mutations are rejected and have no effect; stale ids are detected.

use crate::toy::{self, Func, Program};
use minoan_ir::{
    Block, Body, Builder, Context, EditError, InsertionPoint, Loc, Mapping, Module, Op, OpState, Type,
};

fn expect_panic(body: &mut Body, edit: impl FnOnce(&mut Body)) -> String {
    let run = std::panic::AssertUnwindSafe(|| edit(body));
    let payload = std::panic::catch_unwind(run).expect_err("it panics");
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned())).expect("a message")
}

/// `%0 = a.def; a.region ({ %1 = a.inner; a.use %0 }); a.use %0`, in one block.
fn example(ctx: &Context) -> (Body, Block, [Op; 5]) {
    let mut body = Body::new(ctx, 1);
    let root = body.root(0);
    let block = body.add_block(root, &[Type::I1]);
    let mut b = Builder::at_end(&mut body, block);
    let def = b.create(OpState::named(ctx, "a.def").results(&[Type::I1]));
    let value = b.body().op(def).result(0);
    let region = b.create(OpState::named(ctx, "a.region").regions(1));
    let (_, back) = b.enter(region, 0, &[Type::I8]);
    let inner = b.create(OpState::named(ctx, "a.inner").results(&[Type::I1]));
    let user = b.create(OpState::named(ctx, "a.use").operands(&[value]));
    b.set_insertion_point(back);
    let last = b.create(OpState::named(ctx, "a.use").operands(&[value]));
    (body, block, [def, region, inner, user, last])
}

fn refusal(refused: Result<(), EditError>) -> String {
    refused.expect_err("the edit is refused").to_string()
}

#[test]
fn erasing_used_operation_is_refused() {
    let ctx = Context::bare();
    let (mut body, _, [def, region, inner, user, last]) = example(&ctx);
    assert_eq!(refusal(body.try_erase(def)), "'a.def' cannot be erased: its result is used by 'a.use'");
    // Nor one that contains a value used outside.
    let value = body.op(inner).result(0);
    body.set_operand(last, 0, value);
    let expected = "'a.region' cannot be erased: a value inside it is used by 'a.use'";
    assert_eq!(refusal(body.try_erase(region)), expected);
    assert_eq!(body.check_invariants(), [""; 0]);
    let message = expect_panic(&mut body, |body| body.erase(region));
    assert!(message.contains("cannot be erased"));
    body.erase(last);
    body.erase(region);
    body.erase(def);
    assert!([def, region, inner, user, last].iter().all(|&op| !body.contains(op)));
    assert_eq!((body.walk().len(), body.check_invariants().len()), (0, 0));
}

#[test]
fn moving_operation_into_itself_is_refused() {
    let ctx = Context::bare();
    let (mut body, _, [_, region, inner, _, last]) = example(&ctx);
    let refused = "'a.region' cannot be moved into its own region";
    assert_eq!(refusal(body.try_move_op(region, InsertionPoint::Before(inner))), refused);
    let inside = body.op(inner).block().expect("in the region");
    assert_eq!(refusal(body.try_move_op(region, InsertionPoint::End(inside))), refused);
    let message = expect_panic(&mut body, |body| {
        body.clone_op(region, InsertionPoint::End(inside), &mut Mapping::new());
    });
    assert_eq!(message, "'a.region' cannot be cloned into its own region");
    assert_eq!(body.try_move_op(last, InsertionPoint::Detached), Ok(()));
    assert_eq!(body.op(last).block(), None);
    let refused = "'a.inner' cannot be moved beside 'a.use', which is in no block";
    assert_eq!(refusal(body.try_move_op(inner, InsertionPoint::After(last))), refused);
    let walk = body.walk();
    let message = expect_panic(&mut body, |body| {
        body.create(&OpState::named(&ctx, "a.new"), InsertionPoint::Before(last));
    });
    assert_eq!(message, "an insertion point beside a detached operation");
    assert_eq!((body.walk(), body.check_invariants().len()), (walk, 0));
}

#[test]
fn moving_region_into_itself_is_refused() {
    let ctx = Context::bare();
    let (mut body, block, [_, region, ..]) = example(&ctx);
    let (outer, inner) = (body.root(0), body.op(region).region(0));
    let message = expect_panic(&mut body, |body| body.move_blocks(outer, inner));
    assert_eq!(message, "the blocks of a region cannot be moved into themselves");
    body.move_blocks(inner, outer);
    assert_eq!(body.region(outer).blocks().len(), 2);
    let end = InsertionPoint::End(block);
    let message = expect_panic(&mut body, |body| body.inline_block(block, end, &[]));
    assert_eq!(message.lines().last(), Some(" right: 0"));
    let other = body.region(outer).blocks().nth(1).expect("just moved");
    let value = body.block(other).arg(0);
    let message = expect_panic(&mut body, |body| body.inline_block(block, end, &[value]));
    assert_eq!(message, "a block cannot be inlined into itself");
    let own = body.block(block).arg(0);
    let message =
        expect_panic(&mut body, |body| body.inline_block(block, InsertionPoint::End(other), &[own]));
    assert_eq!(message, "a block argument cannot be replaced by an argument of the erased block");
    assert_eq!(body.check_invariants(), [""; 0]);
}

#[test]
fn stale_and_foreign_ids_are_errors() {
    let ctx = Context::bare();
    let (mut body, _, [.., last]) = example(&ctx);
    let (other, ..) = example(&ctx);
    body.erase(last);
    let new = body.create(&OpState::named(&ctx, "a.new"), InsertionPoint::Detached);
    assert_eq!(new.index(), last.index(), "the slot is used again");
    let error = body.try_op(last).err().expect("it is stale").to_string();
    assert!(error.starts_with("operation 4 of body") && error.ends_with("was erased"));
    let foreign = other.try_op(new).err().expect("it is of another body").to_string();
    assert!(
        foreign.starts_with("operation 4 of body") && foreign.contains(" does not belong to body #"),
        "{foreign}"
    );
    assert!(!other.contains(new));
    assert_eq!(expect_panic(&mut body, |body| drop(body.op(last).name().to_owned())), error);
}

#[test]
fn slot_is_retired_after_its_last_generation() {
    let ctx = Context::bare();
    let mut body = Body::new(&ctx, 1);
    let mut seen = std::collections::HashSet::new();
    for _ in 0..10_000 {
        let op = body.create(&OpState::named(&ctx, "a.op").results(&[Type::I1]), InsertionPoint::Detached);
        assert!(seen.insert(op), "an id names one operation");
        body.erase(op);
    }
    assert!(seen.iter().all(|&op| !body.contains(op)));
    assert_eq!(body.check_invariants(), [""; 0]);
}

#[test]
fn module_is_cloned_with_nested_bodies() {
    let ctx = toy::context();
    let mut module = Module::with_top(&ctx, OpState::new(ctx.kind_of::<Program>()).regions(1));
    let body = module.body_mut();
    let block = body.add_block(body.root(0), &[]);
    let func = body.create(
        &OpState::new(ctx.kind_of::<Func>()).regions(1).loc(Loc::UNKNOWN),
        InsertionPoint::End(block),
    );
    let inside = body.nested_mut(func).expect("isolated");
    let entry = inside.add_block(inside.root(0), &[Type::I1]);
    let value = inside.block(entry).arg(0);
    inside.create(&OpState::named(&ctx, "a.use").operands(&[value]), InsertionPoint::End(entry));
    let mut copy = module.clone();
    let block = copy.block();
    let func = copy.body().block(block).first().expect("the function");
    let inside = copy.body_mut().nested_mut(func).expect("isolated");
    assert_eq!((inside.walk().len(), inside.check_invariants().len()), (1, 0));
    let user = inside.walk()[0];
    inside.erase(user);
    assert!(!inside.contains_value(value), "ids of the original are foreign");
    assert_eq!(module.body().nested(module.body().walk()[0]).map(|body| body.walk().len()), Some(1));
}
