//! Walks over the operations of a module, and builders that enter regions.

use crate::toy;
use minoan_ir::text::parse_text;
use minoan_ir::{Attr, Builder, Loc, Module, OpState, Type, Value};

/// A function inside of a module inside of a module, and one beside it.
const NESTED: &str = r#"
"builtin.module"() ({
  "toy.func"() <{sym_name = "inner"}> ({
    %0 = "toy.constant"() <{value = 1.0 : f32}> : () -> f32
    "toy.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"toy.func"() <{sym_name = "outer"}> ({
  "toy.return"() : () -> ()
}) : () -> ()
"#;

#[test]
fn ops_visits_isolated_operations_in_pre_order() {
    let ctx = toy::context();
    let module = parse_text(&ctx, NESTED).expect("it is well formed");
    let names: Vec<&str> = module.ops().map(|op| op.name()).collect();
    assert_eq!(names, ["builtin.module", "toy.func", "toy.constant", "toy.return", "toy.func", "toy.return"]);
}

#[test]
fn regions_are_counted_where_they_are() {
    let ctx = toy::context();
    let text = r#""toy.func"() <{sym_name = "f"}> ({
      "toy.if"() ({}, {}) : () -> ()
      "toy.return"() : () -> ()
    }) : () -> ()"#;
    let module = parse_text(&ctx, text).expect("it is well formed");
    let counts = |op: minoan_ir::OpRef<'_>| {
        let (body, regions) = op.inside();
        assert!(
            regions.iter().all(|&region| body.region(region).blocks().len() <= 1),
            "the ids are those of the body"
        );
        (
            op.n_regions(),
            regions.len(),
            op.own_regions().len(),
            op.nested().map(|nested| nested.regions().len()),
        )
    };
    let found: Vec<_> = module.ops().map(counts).collect();
    assert_eq!(found, [(1, 1, 0, Some(1)), (2, 2, 2, None), (0, 0, 0, None)]);
}

#[test]
fn walk_finds_operations_of_one_kind_at_any_depth() {
    let ctx = toy::context();
    let module = parse_text(&ctx, NESTED).expect("it is well formed");
    let name =
        |(body, func): (&minoan_ir::Body, toy::Func)| func.sym_name(body).as_str(&ctx).map(str::to_owned);
    let names: Vec<Option<String>> = module.walk::<toy::Func>().map(name).collect();
    assert_eq!(names, [Some("inner".to_owned()), Some("outer".to_owned())]);
}

#[test]
fn walk_mut_skips_what_it_erases_and_what_it_creates() {
    let ctx = toy::context();
    let mut module = parse_text(&ctx, NESTED).expect("it is well formed");
    let mut visited = 0;
    module.walk_mut::<toy::Return>(|body, op| {
        use minoan_ir::OpDef;
        visited += 1;
        Builder::before(body, op.op()).create(OpState::named(&ctx, "toy.return"));
        body.erase(op.op());
    });
    assert_eq!(visited, 2);
    assert_eq!(module.walk::<toy::Return>().count(), 2);
}

#[test]
fn region_enters_operations_with_and_without_a_body_of_their_own() {
    let ctx = toy::context();
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let isolated = OpState::named(&ctx, "toy.func")
        .props(Attr::dictionary(&ctx, &[(ctx.name("sym_name"), Attr::string(&ctx, "f"))]))
        .regions(1);
    let func = b.create(isolated);
    let value: Value = b.region(func, 0, &[Type::F32], |b, args| toy::add(b, args[0], args[0]));
    assert!(b.body().nested(func).expect("it is isolated").contains_value(value));

    let plain = b.create(OpState::named(&ctx, "test.region").regions(1));
    b.region(plain, 0, &[], |b, _| b.create(OpState::named(&ctx, "test.inside")));
    b.create(OpState::named(&ctx, "test.after"));
    let order: Vec<&str> = module.ops().map(|op| op.name()).collect();
    assert_eq!(order, ["toy.func", "toy.add", "test.region", "test.inside", "test.after"]);
}
