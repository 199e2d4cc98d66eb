//! Property test: random mutations that preserve validity are accepted by the verifier after each step. Careless
//! mutations only violate the rules that they may violate.

use crate::toy::harness::{program, report};
use crate::toy::{self, Add, Br, CondBr, Func, If, Return, Yield};
use minoan_ir::verify::{Dominance, verify};
use minoan_ir::{
    Attr, Block, Body, Builder, Context, Def, InsertionPoint, Mapping, Module, Op, OpState, Traits, Type,
    Value,
};
use proptest::prelude::*;

/// The rules of the verifier, with words that occur only in their messages.
const RULES: [(usize, &str); 42] = [
    (1, "that does not allow unknown operations"),
    (2, "requires zero operands"),
    (2, "requires a single operand"),
    (2, "expected 2 operands"),
    (2, "or more operands"),
    (3, "requires zero results"),
    (3, "requires one result"),
    (3, "or more results"),
    (4, "requires zero regions"),
    (4, "requires one region"),
    (4, "expected 2 regions"),
    (5, "successor but found"),
    (5, "successors but found"),
    (6, "specified in attribute"),
    (7, "must be"),
    (8, "have same type"),
    (9, "failed to verify that"),
    (10, "requires all operands to have the same type"),
    (11, "requires the same type for all operands and results"),
    (12, "requires the same shape"),
    (13, "non-scalar"),
    (14, "requires attribute"),
    (15, "failed to satisfy constraint"),
    (16, "empty block: expect at least a terminator"),
    (17, "block with no terminator"),
    (18, "must be the last operation in the parent block"),
    (19, "operation with block successors must terminate its parent block"),
    (20, "reference to block defined in another region"),
    (21, "entry block of region may not have predecessors"),
    (22, "to have 0 or 1 blocks"),
    (22, "expects a non-empty block"),
    (23, "region with at least 1 blocks"),
    (23, "region with 1 blocks"),
    (24, "should have no arguments"),
    (25, "expects graph region"),
    (26, "expects regions to end with"),
    (27, "expects parent op"),
    (28, "symbol's parent must have the SymbolTable trait"),
    (28, "requires string attribute 'sym_name'"),
    (29, "redefinition of symbol named"),
    (30, "does not dominate this use"),
    (31, "has a bad name"),
];

/// The numbers of the rules that a message may belong to; 32 for inconsistent lists, whose messages differ.
fn rule(message: &str) -> usize {
    // The words of longer messages precede those of shorter ones.
    let specific = [8, 15, 18, 23, 25];
    let fits = |&&(_, words): &&(usize, &str)| message.contains(words);
    let found = || RULES.iter().filter(fits).map(|&(number, _)| number);
    found().filter(|number| specific.contains(number)).max().or_else(|| found().next()).unwrap_or(32)
}

/// The violated rules, with the verifier's messages.
fn broken(module: &Module) -> Vec<(usize, String)> {
    let Err(wrong) = verify(module) else { return Vec::new() };
    wrong.iter().map(|error| (rule(&error.message), error.message.clone())).collect()
}

#[derive(Clone, Debug)]
enum Edit {
    Insert { at: usize, kind: usize, operands: [usize; 2] },
    InsertIf(usize, usize),
    Erase(usize),
    Move(usize, usize),
    Clone(usize, usize),
    ReplaceAll(usize, usize),
    Replace(usize, usize),
    SetOperand(usize, usize, usize),
    Split(usize),
    Merge(usize),
    Branch(usize, usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let n = || 0usize..1000;
    prop_oneof![
        5 => (n(), n(), [n(), n()]).prop_map(|(at, kind, operands)| Edit::Insert { at, kind, operands }),
        2 => (n(), n()).prop_map(|(at, flag)| Edit::InsertIf(at, flag)),
        2 => n().prop_map(Edit::Erase),
        3 => (n(), n()).prop_map(|(op, at)| Edit::Move(op, at)),
        2 => (n(), n()).prop_map(|(op, at)| Edit::Clone(op, at)),
        2 => (n(), n()).prop_map(|(from, to)| Edit::ReplaceAll(from, to)),
        2 => (n(), n()).prop_map(|(op, with)| Edit::Replace(op, with)),
        2 => (n(), n(), n()).prop_map(|(op, index, value)| Edit::SetOperand(op, index, value)),
        3 => n().prop_map(Edit::Split),
        2 => n().prop_map(Edit::Merge),
        2 => (n(), n(), n()).prop_map(|(block, flag, to)| Edit::Branch(block, flag, to)),
    ]
}

fn pick<T: Copy>(from: &[T], choice: usize) -> Option<T> {
    from.get(choice.checked_rem(from.len())?).copied()
}

/// `toy.func @f(i1, f32)` with only a return.
fn subject(ctx: &Context) -> (Module, Op) {
    let mut module = program(ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let args = [Type::I1, Type::F32];
    let ty = Attr::ty(ctx, Type::function(ctx, &args, &[]));
    let func = Func::build(&mut b, Attr::string(ctx, "f"), ty);
    let inside = func.inside_mut(b.body_mut());
    let root = inside.root(0);
    let entry = inside.add_block(root, &args);
    Return::build(&mut Builder::at_end(inside, entry), &[]);
    let op = module.body().walk()[0];
    (module, op)
}

/// The body of the function, and its valid mutations.
struct Careful<'a> {
    ctx: &'a Context,
    body: &'a mut Body,
}

impl Careful<'_> {
    fn is_terminator(&self, op: Op) -> bool {
        self.body.op(op).has_trait(Traits::TERMINATOR)
    }

    /// The operations that are not terminators.
    fn ops(&self) -> Vec<Op> {
        self.body.walk().into_iter().filter(|&op| !self.is_terminator(op)).collect()
    }

    /// Any operation, as an insertion point before the end of its block.
    fn before(&self, choice: usize) -> Op {
        pick(&self.body.walk(), choice).expect("there is a return")
    }

    fn all_values(&self) -> Vec<Value> {
        let regions = self.body.walk().into_iter().flat_map(|op| self.body.op(op).own_regions());
        let regions = self.body.regions().chain(regions);
        let blocks = regions.flat_map(|region| self.body.region(region).blocks());
        let args = blocks.flat_map(|block| self.body.block(block).args());
        let results = self.body.walk().into_iter().flat_map(|op| self.body.op(op).results());
        args.chain(results).collect()
    }

    /// A value of a type that an operation may use.
    fn visible(&self, op: Op, ty: Type, choice: usize) -> Option<Value> {
        let dominance = Dominance::of(self.body);
        let fits = |&value: &Value| self.body.ty(value) == ty && dominance.dominates(self.body, value, op);
        pick(&self.all_values().into_iter().filter(fits).collect::<Vec<_>>(), choice)
    }

    /// Whether the operands of an operation dominate another position.
    fn operands_are_visible(&self, op: Op, before: Op) -> bool {
        let dominance = Dominance::of(self.body);
        let mut tree = self.body.walk().into_iter().filter(|&other| self.is_in(other, op));
        tree.all(|inside| {
            self.body
                .op(inside)
                .operands()
                .all(|value| self.is_defined_in(value, op) || dominance.dominates(self.body, value, before))
        })
    }

    fn is_in(&self, op: Op, around: Op) -> bool {
        self.body.op(op).ancestors().any(|other| other.id() == around)
    }

    fn is_defined_in(&self, value: Value, op: Op) -> bool {
        match self.body.def(value) {
            Def::Result(def, _) => self.is_in(def, op),
            Def::Arg(block, _) => {
                self.body.block(block).parent().is_some_and(|parent| self.is_in(parent, op))
            }
        }
    }

    fn branch_to(&self, block: Block) -> Vec<Op> {
        let names = |op: &Op| self.body.op(*op).successors().any(|other| other == block);
        self.body.walk().into_iter().filter(names).collect()
    }

    fn insert(&mut self, before: Op, kind: usize, operands: [usize; 2]) -> Option<()> {
        if kind.is_multiple_of(3) {
            let types = [Type::I1, Type::F32];
            let state = OpState::named(self.ctx, "other.op").results(&types[..1 + kind % 2]);
            self.body.create(&state, InsertionPoint::Before(before));
        } else {
            let [lhs, rhs] = operands.map(|choice| self.visible(before, Type::F32, choice));
            Add::build(&mut Builder::before(self.body, before), lhs?, rhs?);
        }
        Some(())
    }

    fn insert_if(&mut self, before: Op, flag: usize) -> Option<()> {
        let flag = self.visible(before, Type::I1, flag)?;
        let mut b = Builder::before(self.body, before);
        let choice = If::build(&mut b, flag, &[]);
        let op = minoan_ir::OpDef::op(choice);
        let (_, back) = b.enter(op, 0, &[]);
        Yield::build(&mut b, &[]);
        b.set_insertion_point(back);
        Some(())
    }

    fn replace_all(&mut self, from: usize, to: usize) -> Option<()> {
        let (from, to) = (pick(&self.all_values(), from)?, pick(&self.all_values(), to)?);
        let dominance = Dominance::of(self.body);
        let fits = self.body.ty(from) == self.body.ty(to)
            && self.body.uses(from).all(|user| dominance.dominates(self.body, to, user.op));
        if fits {
            self.body.replace_all_uses(from, to);
        }
        Some(())
    }

    /// Replaces an operation by values visible at its position.
    fn replace(&mut self, op: usize, with: usize) -> Option<()> {
        let op = pick(&self.ops(), op)?;
        let types: Vec<Type> = self.body.op(op).results().map(|result| self.body.ty(result)).collect();
        let with: Option<Vec<Value>> = types.iter().map(|&ty| self.visible(op, ty, with)).collect();
        self.body.replace(op, &with?);
        assert!(!self.body.contains(op));
        Some(())
    }

    /// Moves an operation to a position where its operands are visible and that dominates its users.
    fn move_before(&mut self, op: Op, other: Op) -> Option<()> {
        if op == other || self.is_in(other, op) || !self.operands_are_visible(op, other) {
            return None;
        }
        // A user is dominated by `other` if it could use a value created there.
        let probe = self.body.create(
            &OpState::named(self.ctx, "other.probe").results(&[Type::I1]),
            InsertionPoint::Before(other),
        );
        let dominance = Dominance::of(self.body);
        let there = self.body.op(probe).result(0);
        let results: Vec<Value> = self.body.op(op).results().collect();
        let seen = results.iter().flat_map(|&result| self.body.uses(result));
        let seen = seen.map(|user| user.op).all(|user| dominance.dominates(self.body, there, user));
        self.body.erase(probe);
        if seen {
            self.body.move_op(op, InsertionPoint::Before(other));
        }
        Some(())
    }

    fn split(&mut self, op: usize) -> Option<()> {
        let op = self.before(op);
        let block = self.body.op(op).block()?;
        if self.body.block(block).parent().is_some() {
            return None;
        }
        let new = self.body.split_block(op);
        Br::build(&mut Builder::at_end(self.body, block), &[], new);
        Some(())
    }

    /// Merges a block into its only predecessor.
    fn merge(&mut self, block: usize) -> Option<()> {
        let root = self.body.root(0);
        let blocks: Vec<Block> = self.body.region(root).blocks().skip(1).collect();
        let block = pick(&blocks, block)?;
        let [jump] = self.branch_to(block)[..] else { return None };
        let from = self.body.op(jump).block()?;
        if from == block || self.body.op(jump).successors().count() != 1 {
            return None;
        }
        self.body.erase(jump);
        self.body.inline_block(block, InsertionPoint::End(from), &[]);
        assert!(!self.body.contains_block(block));
        Some(())
    }

    /// Turns the unconditional branch of a block into a conditional one with another target.
    fn branch(&mut self, block: usize, flag: usize, to: usize) -> Option<()> {
        let root = self.body.root(0);
        let blocks: Vec<Block> = self.body.region(root).blocks().collect();
        let last = self.body.block(pick(&blocks, block)?).last()?;
        let old = self.body.op(last).successors().next()?;
        let flag = self.visible(last, Type::I1, flag)?;
        let other = pick(&blocks[1..], to)?;
        // Another predecessor changes dominance; invalid results are found by trying.
        CondBr::build(&mut Builder::before(self.body, last), flag, old, &[other]);
        let new = self.body.op(last).prev().expect("just made");
        self.body.move_op(last, InsertionPoint::Detached);
        let blind = minoan_ir::verify::verify_body(self.body).is_err();
        if blind {
            self.body.move_op(last, InsertionPoint::After(new));
            self.body.erase(new);
        } else {
            self.body.erase(last);
        }
        Some(())
    }

    fn apply(&mut self, edit: &Edit) -> Option<()> {
        match *edit {
            Edit::Insert { at, kind, operands } => self.insert(self.before(at), kind, operands),
            Edit::InsertIf(at, flag) => self.insert_if(self.before(at), flag),
            Edit::Erase(op) => {
                let op = pick(&self.ops(), op)?;
                let used = self.body.op(op).results().any(|result| self.body.is_used(result));
                assert_eq!(self.body.try_erase(op).is_err(), used);
                Some(())
            }
            Edit::Move(op, at) => self.move_before(pick(&self.ops(), op)?, self.before(at)),
            Edit::Clone(op, at) => {
                let (op, before) = (pick(&self.ops(), op)?, self.before(at));
                let fits = !self.is_in(before, op) || before == op;
                if fits && self.operands_are_visible(op, before) && self.body.walk().len() < 150 {
                    self.body.clone_op(op, InsertionPoint::Before(before), &mut Mapping::new());
                }
                Some(())
            }
            Edit::ReplaceAll(from, to) => self.replace_all(from, to),
            Edit::Replace(op, with) => self.replace(op, with),
            Edit::SetOperand(op, index, value) => {
                let op = self.before(op);
                let index = index.checked_rem(self.body.op(op).n_operands())?;
                let ty = self.body.ty(self.body.op(op).operand(index));
                let value = self.visible(op, ty, value)?;
                self.body.set_operand(op, index, value);
                Some(())
            }
            Edit::Split(op) => self.split(op),
            Edit::Merge(block) => self.merge(block),
            Edit::Branch(block, flag, to) => self.branch(block, flag, to),
        }
    }
}

/// The rules that careless mutations may violate: those about positions and numbers.
const OF_PLACE: [usize; 12] = [16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27, 30];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_edits_keep_the_body_valid(edits in prop::collection::vec(edit(), 1..60)) {
        let ctx = toy::context();
        let (mut module, func) = subject(&ctx);
        prop_assert_eq!(report(&module), "");
        for edit in &edits {
            let body = module.body_mut().nested_mut(func).expect("isolated");
            Careful { ctx: &ctx, body }.apply(edit);
            for (number, message) in broken(&module) {
                prop_assert!(false, "{edit:?} breaks rule {number}: {message}");
            }
        }
    }

    #[test]
    fn arbitrary_edits_break_only_placement_rules(
        edits in prop::collection::vec(edit(), 1..40),
        moves in prop::collection::vec((0usize..1000, 0usize..1000), 1..10),
    ) {
        let ctx = toy::context();
        let (mut module, func) = subject(&ctx);
        let body = module.body_mut().nested_mut(func).expect("isolated");
        for edit in &edits {
            Careful { ctx: &ctx, body }.apply(edit);
        }
        for (op, at) in moves {
            let body = module.body_mut().nested_mut(func).expect("isolated");
            let ops = body.walk();
            let (op, other) = (ops[op % ops.len()], ops[at % ops.len()]);
            let before = body.walk();
            if let Err(error) = body.try_move_op(op, InsertionPoint::After(other)) {
                let message = error.to_string();
                prop_assert!(message.ends_with("cannot be moved into its own region"), "{message}");
                prop_assert_eq!(body.walk(), before);
            }
            for (number, message) in broken(&module) {
                prop_assert!(OF_PLACE.contains(&number), "a move breaks rule {number}: {message}");
            }
        }
    }
}

#[test]
fn messages_name_their_rules() {
    for (number, message) in [
        (7, "'toy.add' op operand #0 must be floating-point-like, but got 'i1'"),
        (8, "'toy.gather' op failed to verify that all of {base, fallback} have same type"),
        (9, "'toy.store' op failed to verify that type of 'value' matches"),
        (15, "'toy.br' op attribute 'x' failed to satisfy constraint: y"),
        (18, "'toy.br' op must be the last operation in the parent block"),
        (
            23,
            "'toy.if' op region #0 ('then_region') failed to verify constraint: region with at least 1 blocks",
        ),
        (30, "operand #0 does not dominate this use"),
        (32, "block 3 has 2 uses, but records 1"),
    ] {
        assert_eq!(rule(message), number, "{message}");
    }
}
