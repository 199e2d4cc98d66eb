//! The verifier's rules about structure, one case for each number (16 to 30).

use crate::toy::harness::{check, program, report};
use crate::toy::{self, *};
use expect_test::{Expect, expect};
use minoan_ir::verify::Dominance;
use minoan_ir::{
    Attr, Block, Body, Builder, Context, InsertionPoint, Op, OpDef, OpState, Region, Type, Value,
};

fn case(want: Expect, build: impl FnOnce(&Context, &mut Builder<'_>, Value)) {
    want.assert_eq(&check(&[Type::I1], |ctx, b, args| build(ctx, b, args[0])));
}

/// Creates a `toy.inline` with empty blocks at the insertion point.
fn inline(b: &mut Builder<'_>, blocks: usize) -> (Region, Vec<Block>) {
    let op = Inline::build(b, &[]);
    let region = op.inner(b.body());
    (region, (0..blocks).map(|_| b.body_mut().add_block(region, &[])).collect())
}

fn at(b: &mut Builder<'_>, block: Block, build: impl FnOnce(&mut Builder<'_>)) {
    let back = b.set_insertion_point(InsertionPoint::End(block));
    build(b);
    b.set_insertion_point(back);
}

fn unknown(ctx: &Context, b: &mut Builder<'_>, operands: &[Value], results: &[Type]) -> Op {
    b.create(OpState::named(ctx, "other.op").operands(operands).results(results))
}

/// A value defined by an unknown operation.
fn value(ctx: &Context, b: &mut Builder<'_>) -> Value {
    let op = unknown(ctx, b, &[], &[Type::I1]);
    b.body().op(op).result(0)
}

#[test]
fn rule_16_blocks_are_not_empty() {
    case(expect!["empty block: expect at least a terminator"], |ctx, b, _| {
        inline(b, 1);
        let other = b.create(OpState::named(ctx, "other.region").regions(1));
        b.enter(other, 0, &[]);
    });
}

#[test]
fn rule_17_blocks_end_with_a_terminator() {
    case(expect![[r#"block with no terminator, has "toy.pack"(%arg0) : (i1) -> ()"#]], |ctx, b, flag| {
        let (_, blocks) = inline(b, 1);
        at(b, blocks[0], |b| {
            Pack::build(b, &[flag], None);
        });
        let (_, blocks) = inline(b, 1);
        at(b, blocks[0], |b| {
            unknown(ctx, b, &[], &[]);
        });
        // An unregistered operation may have a graph region.
        let other = b.create(OpState::named(ctx, "other.region").regions(1));
        b.enter(other, 0, &[]);
        Pack::build(b, &[], None);
    });
}

#[test]
fn rule_18_terminators_are_last() {
    case(expect!["'toy.return' op must be the last operation in the parent block"], |_, b, _| {
        Return::build(b, &[]);
        Return::build(b, &[]);
    });
}

#[test]
fn rule_19_operations_with_successors_are_last() {
    case(expect!["operation with block successors must terminate its parent block"], |ctx, b, _| {
        let (_, blocks) = inline(b, 2);
        at(b, blocks[0], |b| {
            b.create(OpState::named(ctx, "other.branch").successors(&[blocks[1]]));
            Return::build(b, &[]);
        });
        at(b, blocks[1], |b| {
            Return::build(b, &[]);
        });
    });
}

#[test]
fn rule_20_successors_are_in_the_same_region() {
    case(expect!["reference to block defined in another region"], |_, b, flag| {
        let ((_, one), (_, two)) = (inline(b, 2), inline(b, 2));
        for block in [one[1], two[0], two[1]] {
            at(b, block, |b| {
                Return::build(b, &[]);
            });
        }
        at(b, one[0], |b| {
            CondBr::build(b, flag, one[1], &[two[1]]);
        });
        // A block can be erased while another region refers to it.
        let erased = b.body_mut().try_erase_block(two[1]);
        assert_eq!(erased, Ok(()));
    });
}

#[test]
fn rule_21_entry_blocks_have_no_predecessors() {
    case(expect!["entry block of region may not have predecessors"], |_, b, _| {
        let (_, blocks) = inline(b, 2);
        at(b, blocks[0], |b| {
            Br::build(b, &[], blocks[1]);
        });
        at(b, blocks[1], |b| {
            Br::build(b, &[], blocks[0]);
        });
    });
}

#[test]
fn rule_22_single_block() {
    case(
        expect![[r#"
        'toy.if' op expects region #0 to have 0 or 1 blocks
        'toy.if' op expects a non-empty block"#]],
        |_, b, flag| {
            let choice = If::build(b, flag, &[]);
            for region in [choice.then_region(b.body()), choice.else_region(b.body())] {
                b.body_mut().add_block(region, &[]);
            }
            let region = choice.then_region(b.body());
            let first = b.body().region(region).entry().expect("just added");
            let second = b.body_mut().add_block(region, &[]);
            for block in [first, second] {
                at(b, block, |b| {
                    Yield::build(b, &[]);
                });
            }
        },
    );
}

#[test]
fn rule_23_nonempty_regions() {
    case(
        expect!["'toy.if' op region #0 ('then_region') failed to verify constraint: region with 1 blocks"],
        |_, b, flag| {
            If::build(b, flag, &[]);
        },
    );
}

#[test]
fn rule_24_no_region_arguments() {
    case(expect!["'toy.if' op region #0 should have no arguments"], |_, b, flag| {
        let choice = If::build(b, flag, &[]);
        let (_, back) = b.enter(choice.op(), 0, &[Type::I1]);
        Yield::build(b, &[]);
        b.set_insertion_point(back);
    });
}

#[test]
fn rule_25_graph_regions_have_one_block() {
    case(expect!["'toy.tangle' op expects graph region #0 to have 0 or 1 blocks"], |_, b, _| {
        let tangle = Tangle::build(b);
        for _ in 0..2 {
            let (_, back) = b.enter(tangle.op(), 0, &[]);
            Return::build(b, &[]);
            b.set_insertion_point(back);
        }
    });
}

#[test]
fn rule_26_implicit_terminators() {
    case(
        expect![[r#"
        'toy.if' op expects regions to end with 'toy.yield', found 'toy.return'
          note: in custom textual format, the absence of terminator implies 'toy.yield'"#]],
        |_, b, flag| {
            let choice = If::build(b, flag, &[]);
            let (_, back) = b.enter(choice.op(), 0, &[]);
            Return::build(b, &[]);
            b.set_insertion_point(back);
        },
    );
}

#[test]
fn rule_27_parents() {
    case(expect!["'toy.yield' op expects parent op to be one of 'toy.if, toy.switch'"], |_, b, _| {
        Yield::build(b, &[]);
    });
}

#[test]
fn rule_28_symbols() {
    let ctx = toy::context();
    let mut module = program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let label = |entries: &[(&str, Attr)]| {
        let entries: Vec<_> = entries.iter().map(|&(name, attr)| (ctx.name(name), attr)).collect();
        OpState::new(ctx.kind_of::<Label>()).attrs(Attr::dictionary(&ctx, &entries))
    };
    let name = ("sym_name", Attr::string(&ctx, "a"));
    b.create(label(&[]));
    b.create(label(&[("sym_name", Attr::UNIT)]));
    b.create(label(&[name, ("sym_visibility", Attr::string(&ctx, "secret"))]));
    b.create(label(&[("sym_name", Attr::string(&ctx, "b")), ("sym_visibility", Attr::UNIT)]));
    let inline = Inline::build(&mut b, &[]);
    let (_, back) = b.enter(inline.op(), 0, &[]);
    b.create(label(&[name]));
    Return::build(&mut b, &[]);
    b.set_insertion_point(back);
    let other = b.create(OpState::named(&ctx, "other.table").regions(1));
    b.enter(other, 0, &[]);
    b.create(label(&[name]));
    expect![[r#"
        'toy.label' op requires string attribute 'sym_name'
        'toy.label' op requires string attribute 'sym_name'
        'toy.label' op visibility expected to be one of ["public", "private", "nested"], but got "secret"
        'toy.label' op requires visibility attribute 'sym_visibility' to be a string attribute
        'toy.label' op symbol's parent must have the SymbolTable trait"#]]
    .assert_eq(&report(&module));
}

#[test]
fn rule_29_symbol_tables() {
    let ctx = toy::context();
    let mut module = program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let ty = Attr::ty(&ctx, Type::function(&ctx, &[], &[]));
    for name in ["f", "g", "f", "f"] {
        Func::build(&mut b, Attr::string(&ctx, name), ty);
    }
    b.create(OpState::new(ctx.kind_of::<Program>()).regions(2));
    expect![[r#"
        redefinition of symbol named 'f'
          note: see existing symbol definition here
        redefinition of symbol named 'f'
          note: see existing symbol definition here
        'toy.program' op requires one region
        'toy.program' op Operations with a 'SymbolTable' must have exactly one region"#]]
    .assert_eq(&report(&module));
}

#[test]
fn rule_30_in_one_block() {
    case(
        expect![[r#"
        operand #0 does not dominate this use
          note: operand defined here (op in the same block)"#]],
        |ctx, b, _| {
            let later = value(ctx, b);
            let def = b.body().defining_op(later).expect("a result");
            b.set_insertion_point(InsertionPoint::Before(def));
            unknown(ctx, b, &[later], &[]);
            b.set_insertion_point(InsertionPoint::After(def));
            unknown(ctx, b, &[later], &[]);
        },
    );
}

#[test]
fn rule_30_between_blocks() {
    case(
        expect![[r#"
        operand #1 does not dominate this use
          note: operand defined here (op in the same region)
        operand #2 does not dominate this use
          note: operand defined as a block argument (block #1 in the same region)"#]],
        |ctx, b, flag| {
            // 0 -> {1, 2} -> 3
            let (_, blocks) = inline(b, 4);
            let arg = b.body_mut().add_arg(blocks[1], Type::I1, minoan_ir::Loc::UNKNOWN);
            let mut in_entry = None;
            at(b, blocks[0], |b| {
                in_entry = Some(value(ctx, b));
                CondBr::build(b, flag, blocks[1], &[blocks[2]]);
            });
            let mut in_one = None;
            at(b, blocks[1], |b| {
                in_one = Some(value(ctx, b));
                unknown(ctx, b, &[arg], &[]);
                Br::build(b, &[], blocks[3]);
            });
            at(b, blocks[2], |b| {
                Br::build(b, &[], blocks[3]);
            });
            at(b, blocks[3], |b| {
                unknown(ctx, b, &[in_entry.expect("set"), in_one.expect("set"), arg], &[]);
                Return::build(b, &[]);
            });
        },
    );
}

#[test]
fn rule_30_between_regions() {
    case(
        expect![[r#"
        operand #0 does not dominate this use
          note: operand defined here (op in a child region)
        operand #1 does not dominate this use
          note: operand defined here (op in a parent region)
        operand #0 does not dominate this use
          note: operand defined here (op is neither in a parent nor in a child region)"#]],
        |ctx, b, flag| {
            let outer = b.create(OpState::named(ctx, "other.region").results(&[Type::I1]).regions(2));
            let result = b.body().op(outer).result(0);
            let (_, back) = b.enter(outer, 0, &[]);
            let inner = value(ctx, b);
            // A result is not visible in its own operation.
            unknown(ctx, b, &[flag, result], &[]);
            b.set_insertion_point(InsertionPoint::Before(outer));
            unknown(ctx, b, &[inner], &[]);
            b.set_insertion_point(back);
            unknown(ctx, b, &[result], &[]);
            b.enter(outer, 1, &[]);
            unknown(ctx, b, &[inner], &[]);
            b.set_insertion_point(back);
        },
    );
}

#[test]
fn rule_30_does_not_apply_to_graph_regions() {
    case(expect![""], |ctx, b, _| {
        let graph = Graph::build(b);
        let (_, back) = b.enter(graph.op(), 0, &[]);
        let later = value(ctx, b);
        let def = b.body().defining_op(later).expect("a result");
        b.set_insertion_point(InsertionPoint::Before(def));
        unknown(ctx, b, &[later], &[]);
        // Nor in the only block of an unregistered operation.
        b.set_insertion_point(back);
        let other = b.create(OpState::named(ctx, "other.region").regions(1));
        b.enter(other, 0, &[]);
        let later = value(ctx, b);
        let def = b.body().defining_op(later).expect("a result");
        b.set_insertion_point(InsertionPoint::Before(def));
        unknown(ctx, b, &[later], &[]);
        b.set_insertion_point(back);
    });
}

#[test]
fn rule_30_skips_unreachable_blocks() {
    case(
        expect![[r#"
        operand #0 does not dominate this use
          note: operand defined here (op in the same region)"#]],
        |ctx, b, _| {
            let (_, blocks) = inline(b, 2);
            let mut dead = None;
            at(b, blocks[1], |b| {
                let later = value(ctx, b);
                dead = Some(later);
                let def = b.body().defining_op(later).expect("a result");
                b.set_insertion_point(InsertionPoint::Before(def));
                unknown(ctx, b, &[later], &[]);
                b.set_insertion_point(InsertionPoint::End(blocks[1]));
                Return::build(b, &[]);
            });
            at(b, blocks[0], |b| {
                unknown(ctx, b, &[dead.expect("set")], &[]);
                Return::build(b, &[]);
            });
        },
    );
}

/// A body with one region of blocks that branch according to `edges`; block 0 is the entry.
fn flow_graph(ctx: &Context, blocks: usize, edges: &[(usize, usize)]) -> (Body, Vec<Block>) {
    let mut body = Body::new(ctx, 1);
    let root = body.root(0);
    let blocks: Vec<Block> = (0..blocks).map(|_| body.add_block(root, &[])).collect();
    for (from, &block) in blocks.iter().enumerate() {
        let next: Vec<Block> =
            edges.iter().filter(|edge| edge.0 == from).map(|edge| blocks[edge.1]).collect();
        body.create(&OpState::named(ctx, "other.branch").successors(&next), InsertionPoint::End(block));
    }
    (body, blocks)
}

/// By definition: `a` dominates `b` if `b` is unreachable without `a`.
fn dominates_slowly(blocks: usize, edges: &[(usize, usize)], a: usize, b: usize) -> bool {
    let (mut seen, mut pending) = (vec![false; blocks], vec![0]);
    while let Some(at) = pending.pop() {
        if at != a && !std::mem::replace(&mut seen[at], true) {
            pending.extend(edges.iter().filter(|edge| edge.0 == at).map(|edge| edge.1));
        }
    }
    !seen[b]
}

#[test]
fn dominators_of_an_irreducible_graph() {
    let ctx = Context::bare();
    let edges = [(0, 1), (0, 2), (1, 2), (2, 1), (1, 3), (2, 3), (3, 4), (4, 3), (5, 3)];
    let (body, blocks) = flow_graph(&ctx, 6, &edges);
    let dominance = Dominance::of(&body);
    let idom: Vec<_> = blocks
        .iter()
        .map(|&block| blocks.iter().position(|&above| dominance.idom(block) == Some(above)))
        .collect();
    assert_eq!(idom, [None, Some(0), Some(0), Some(0), Some(3), None]);
    assert!(!dominance.is_reachable(blocks[5]) && dominance.block_dominates(blocks[1], blocks[5]));
    assert_eq!(dominance.children(blocks[3]), [blocks[4]]);
}

proptest::proptest! {
    #[test]
    fn dominance_matches_its_definition(
        edges in proptest::collection::vec((0usize..9, 0usize..9), 0..24)
    ) {
        let ctx = Context::bare();
        let (body, blocks) = flow_graph(&ctx, 9, &edges);
        let dominance = Dominance::of(&body);
        for (a, &block_a) in blocks.iter().enumerate() {
            for (b, &block_b) in blocks.iter().enumerate() {
                let reachable = dominance.is_reachable(block_a) && dominance.is_reachable(block_b);
                if reachable {
                    let slow = dominates_slowly(9, &edges, a, b);
                    proptest::prop_assert_eq!(dominance.block_dominates(block_a, block_b), slow, "{} {}", a, b);
                }
            }
        }
    }
}

#[test]
fn values_dominate_operations() {
    let ctx = toy::context();
    let mut module = program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let func = Func::build(&mut b, Attr::string(&ctx, "f"), Attr::ty(&ctx, Type::function(&ctx, &[], &[])));
    let inside = func.inside_mut(b.body_mut());
    let root = inside.root(0);
    let entry = inside.add_block(root, &[Type::I1]);
    let mut b = Builder::at_end(inside, entry);
    let flag = b.body().block(entry).arg(0);
    let before = value(&ctx, &mut b);
    let choice = If::build(&mut b, flag, &[Type::I1]);
    let (_, back) = b.enter(choice.op(), 0, &[]);
    let inner = value(&ctx, &mut b);
    let end = Yield::build(&mut b, &[inner]);
    b.set_insertion_point(back);
    let last = Return::build(&mut b, &[]);
    let body = b.body();
    let dominance = Dominance::of(body);
    let dominates = |value, op: Op| dominance.dominates(body, value, op);
    assert!(dominates(flag, end.op()) && dominates(before, end.op()) && dominates(inner, end.op()));
    assert!(dominates(before, choice.op()) && !dominates(inner, last.op()));
    let result = choice.results(body)[0];
    assert!(dominates(result, last.op()) && !dominates(result, end.op()) && !dominates(result, choice.op()));
}

#[test]
fn deep_nesting_is_linear() {
    let ctx = toy::context();
    let mut module = program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let outer = value(&ctx, &mut b);
    for _ in 0..50_000 {
        let op = b.create(OpState::named(&ctx, "other.region").operands(&[outer]).regions(1));
        b.enter(op, 0, &[]);
    }
    unknown(&ctx, &mut b, &[outer], &[]);
    assert_eq!(report(&module), "");
}

#[test]
fn deeply_nested_isolated_operations_are_verified_copied_and_dropped() {
    let ctx = toy::context();
    let mut module = program(&ctx);
    let mut body = module.body_mut();
    for _ in 0..20_000 {
        let root = body.root(0);
        let block = body.region(root).entry().unwrap_or_else(|| body.add_block(root, &[]));
        let op = Program::build(&mut Builder::at_end(body, block)).op();
        body = body.nested_mut(op).expect("it is isolated");
    }
    assert_eq!(report(&module), "");
    assert_eq!(report(&module.clone()), "");
    let block = module.block();
    let first = module.body().block(block).first().expect("one inside");
    module.body_mut().erase(first);
}
