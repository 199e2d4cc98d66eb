//! Random modules that are built without text: whatever the builders allow, not only what the parser creates.
//!
//! Every choice consumes bytes. A shorter input gives a simpler module, and a mutation of the bytes changes only a
//! few choices.

mod registered;

use arbitrary::Unstructured;
use minoan::dialects::arith;
use minoan::ir::text::{parse_attr, parse_type};
use minoan::ir::{
    Attr, Block, Builder, Context, InsertionPoint, Loc, LocData, Module, Op, OpState, Type, Value,
};
use registered::Choosable;
use std::rc::Rc;

/// Attributes given as text.
const ATTRS: [&str; 15] = [
    "unit",
    "true",
    "affine_map<(d0, d1)[s0] -> (d0 * 2 + s0, d1 floordiv 3, -d0)>",
    "affine_map<(d0, d1) -> (d0 - -9223372036854775808, d0 floordiv 2 - d1 * -9223372036854775808)>",
    "affine_set<(d0) : (d0 >= 0, d0 mod 4 == 0)>",
    "dense<[[1, -2], [3, 4]]> : tensor<2x2xi8>",
    "dense<[true, false, true]> : tensor<3xi1>",
    "dense<(1.0, -0.0)> : tensor<4xcomplex<f32>>",
    "dense<[\"a\\00\", \"\"]> : tensor<2x!d.string>",
    "sparse<[[0, 1]], 2.5> : tensor<3x4xf32>",
    "strided<[?, 1], offset: 4>",
    "array<i1: true, false>",
    "array<f32: 0.1, 0x7FC00001>",
    "#d.attr<nested<[1, \"]\"]>>",
    "@a::@\"b c\"",
];

/// Types given as text.
const TYPES: [&str; 12] = [
    "none",
    "si7",
    "ui128",
    "f8E4M3FN",
    "complex<bf16>",
    "vector<2x[4]xf32>",
    "tensor<*xi1>",
    "tensor<?x3xf32, #d.layout<\"x\">>",
    "memref<4x?xf32, strided<[?, 1], offset: ?>, 3>",
    "memref<*xi8, \"far\">",
    "!d<\"any > text\">",
    "tuple<>",
];

/// Builds a module. Every choice consumes bytes; after the last byte, it is the first alternative.
struct Maker<'a> {
    ctx: Context,
    bytes: Unstructured<'a>,
    /// The number of operations that may still be created.
    fuel: usize,
    choosable: Rc<Choosable>,
    /// Whether to keep invalid operations.
    wrong: bool,
}

impl<'a> Maker<'a> {
    fn new(ctx: &Context, bytes: &'a [u8]) -> Self {
        let choosable = Rc::new(Choosable::of(ctx));
        let mut maker =
            Self { ctx: ctx.clone(), bytes: Unstructured::new(bytes), fuel: 60, choosable, wrong: false };
        maker.wrong = maker.rarely(4);
        maker
    }

    /// Chooses a number less than `count`.
    fn below(&mut self, count: usize) -> usize {
        self.bytes.int_in_range(0..=count - 1).unwrap_or(0)
    }

    /// Is true with probability 1 / `out_of`.
    fn rarely(&mut self, out_of: usize) -> bool {
        self.below(out_of) + 1 == out_of
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn some<T>(&mut self, most: usize, one: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| one(self)).collect()
    }

    fn bits(&mut self) -> u64 {
        (0..4).fold(0, |bits, _| bits << 16 | self.below(1 << 16) as u64)
    }

    fn ty(&mut self, depth: usize) -> Type {
        let ctx = self.ctx.clone();
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => Type::I1,
            1 => Type::F32,
            2 => Type::INDEX,
            3 => Type::integer(&ctx, 1 + self.below(200) as u32),
            4 => Type::opaque(&ctx, "d", ".t"),
            5 => parse_type(&ctx, self.pick(&TYPES)).expect("a type of the list"),
            6 => {
                let shape: Vec<i64> = self.some(3, |this| this.below(5) as i64);
                Type::tensor(&ctx, &shape, self.pick(&[Type::F32, Type::I1, Type::INDEX]))
            }
            7 => Type::tuple(&ctx, &self.some(3, |this| this.ty(depth - 1))),
            _ => {
                let inputs = self.some(2, |this| this.ty(depth - 1));
                Type::function(&ctx, &inputs, &self.some(2, |this| this.ty(depth - 1)))
            }
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        self.some(6, |this| {
            let byte = this.below(256) as u8;
            this.pick(&[b'a', b' ', b'"', b'\\', b'\n', byte])
        })
    }

    fn attr(&mut self, depth: usize) -> Attr {
        let ctx = self.ctx.clone();
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => Attr::i64(&ctx, self.bits() as i64),
            1 => Attr::float_bits(&ctx, self.bits().into(), Type::F64),
            2 => Attr::float_bits(&ctx, u128::from(self.bits() as u32), Type::F32),
            3 => Attr::string(&ctx, self.bytes()),
            4 => Attr::ty(&ctx, self.ty(1)),
            5 => parse_attr(&ctx, self.pick(&ATTRS)).expect("an attribute of the list"),
            6 => Attr::array(&ctx, &self.some(3, |this| this.attr(depth - 1))),
            7 => self.dictionary(depth - 1),
            _ => {
                let width = 1 + self.below(64) as u32;
                let bits = self.bits() as i64 >> (64 - width);
                Attr::integer(&ctx, if width == 1 { bits & 1 } else { bits }, Type::integer(&ctx, width))
            }
        }
    }

    fn dictionary(&mut self, depth: usize) -> Attr {
        let names = ["a", "b.c", "with space", "loc", "i32", "\u{e9}", "_"];
        let mut used = Vec::new();
        for _ in 0..self.below(4) {
            let name = self.pick(&names);
            let name = self.ctx.name(name);
            if used.iter().all(|(other, _)| *other != name) {
                used.push((name, self.attr(depth)));
            }
        }
        Attr::dictionary(&self.ctx, &used)
    }

    fn loc(&mut self, depth: usize) -> Loc {
        let ctx = self.ctx.clone();
        let name = |this: &mut Self| this.pick(&["x", "0", "a b", "%c", "\u{e9}\""]);
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => Loc::UNKNOWN,
            1 => Loc::file(&ctx, name(self), self.bits() as u32, self.below(9000) as u32),
            2 => {
                let line = self.below(5) as u32;
                let file = ctx.name("a.mlir");
                Loc::intern(&ctx, LocData::Range { file, start: (line, 2), end: (line + 1, 1) })
            }
            3 => Loc::named(&ctx, name(self), self.loc(depth - 1)),
            4 => Loc::call_site(&ctx, self.loc(depth - 1), self.loc(depth - 1)),
            _ => {
                // As the parser creates them: known, distinct and not nested.
                let file = |this: &mut Self| Loc::file(&ctx, "f", this.below(9) as u32, 1);
                let first = file(self);
                let parts = [first, Loc::named(&ctx, "part", file(self))];
                let metadata = self.rarely(2).then(|| self.attr(1));
                Loc::intern(&ctx, LocData::Fused { parts: parts.into(), metadata })
            }
        }
    }

    /// Creates a sequence of operations that match the visible values.
    fn ops(&mut self, b: &mut Builder<'_>, visible: &mut Vec<Value>, depth: usize) {
        for _ in 0..self.below(8) {
            if self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            let loc = self.loc(2);
            b.set_loc(loc);
            self.op(b, visible, depth);
        }
    }

    fn op(&mut self, b: &mut Builder<'_>, visible: &mut Vec<Value>, depth: usize) {
        let ctx = self.ctx.clone();
        match self.below(if depth == 0 { 8 } else { 10 }) {
            5..=7 => self.registered(b, visible, depth),
            0 | 1 => {
                let ty = self.pick(&[Type::I1, Type::F32, Type::INDEX, Type::integer(&ctx, 64)]);
                let value = match ty {
                    Type::F32 => Attr::float_bits(&ctx, u128::from(self.bits() as u32), ty),
                    Type::I1 => Attr::bool(self.rarely(2)),
                    _ => Attr::integer(&ctx, self.bits() as i64, ty),
                };
                let props = b.dictionary(&[("value", Some(value))]);
                let op = b.create(OpState::named(&ctx, "arith.constant").props(props).results(&[ty]));
                visible.push(b.body().op(op).result(0));
            }
            2 | 3 => self.sum(b, visible),
            4 => {
                let state = OpState::named(&ctx, self.pick(&["d.op", "\u{e9}.x y", "e.f.g"]));
                let operands: Vec<Value> = match visible.is_empty() {
                    true => Vec::new(),
                    false => self.some(3, |this| this.pick(visible)),
                };
                let types = self.some(3, |this| this.ty(2));
                let (props, attrs) = (self.dictionary(2), self.dictionary(2));
                let state = state.operands(&operands).results(&types).attrs(attrs);
                let state = if self.rarely(2) { state.props(props) } else { state };
                let regions = self.below(if depth == 0 { 1 } else { 3 });
                let op = b.create(state.regions(regions));
                for region in 0..regions {
                    self.blocks(b, op, region, visible, depth - 1);
                }
                visible.extend(b.body().op(op).results());
            }
            8 => {
                let flag = visible.iter().copied().find(|&value| b.ty(value) == Type::I1);
                let Some(flag) = flag else { return };
                let op = b.create(OpState::named(&ctx, "scf.if").operands(&[flag]).regions(2));
                for region in 0..1 + self.below(2) {
                    self.inside(b, op, region, &[], visible, depth);
                }
            }
            _ => {
                let size = visible.iter().copied().find(|&value| b.ty(value) == Type::INDEX);
                let Some(size) = size else { return };
                let op = b.create(OpState::named(&ctx, "scf.for").operands(&[size; 3]).regions(1));
                self.inside(b, op, 0, &[Type::INDEX], visible, depth);
            }
        }
    }

    /// Creates a region of one block without yielded values.
    fn inside(
        &mut self,
        b: &mut Builder<'_>,
        op: Op,
        region: usize,
        args: &[Type],
        visible: &[Value],
        depth: usize,
    ) {
        let (block, back) = b.enter(op, region, args);
        let mut seen = visible.to_vec();
        seen.extend(b.body().block(block).args());
        self.ops(b, &mut seen, depth - 1);
        b.create(OpState::named(&self.ctx, "scf.yield"));
        b.set_insertion_point(back);
    }

    /// Adds two values of equal type, if there are numbers.
    fn sum(&mut self, b: &mut Builder<'_>, visible: &mut Vec<Value>) {
        let ty = self.pick(&[Type::F32, Type::I1, Type::INDEX]);
        let of_type: Vec<Value> = visible.iter().copied().filter(|&value| b.ty(value) == ty).collect();
        if !of_type.is_empty() {
            let (lhs, rhs) = (self.pick(&of_type), self.pick(&of_type));
            visible.push(match ty {
                Type::F32 => arith::AddF::build(b, lhs, rhs).result(b.body()),
                _ => arith::AddI::build(b, lhs, rhs).result(b.body()),
            });
        }
    }

    /// Creates blocks that branch forwards and backwards to one another; each uses the entry block's values.
    fn blocks(&mut self, b: &mut Builder<'_>, op: Op, region: usize, visible: &[Value], depth: usize) {
        let args = self.some(2, |this| this.ty(1));
        let (entry, back) = b.enter(op, region, &args);
        let region = b.body().op(op).region(region);
        let more = self.below(3);
        let blocks: Vec<Block> = (0..more).map(|_| b.body_mut().add_block(region, &[Type::F32])).collect();
        let mut seen = visible.to_vec();
        seen.extend(b.body().block(entry).args());
        self.ops(b, &mut seen, depth);
        self.leave(b, &blocks, &seen);
        for &block in &blocks {
            b.set_insertion_point(InsertionPoint::End(block));
            let mut seen = seen.clone();
            seen.extend(b.body().block(block).args());
            self.ops(b, &mut seen, depth);
            self.leave(b, &blocks, &seen);
        }
        b.set_insertion_point(back);
    }

    /// Terminates a block with a branch or an unregistered operation.
    fn leave(&mut self, b: &mut Builder<'_>, blocks: &[Block], visible: &[Value]) {
        let ctx = self.ctx.clone();
        let float = visible.iter().copied().find(|&value| b.ty(value) == Type::F32);
        match (float, blocks.is_empty()) {
            (Some(value), false) if self.rarely(2) => {
                let to = self.pick(blocks);
                b.create(OpState::named(&ctx, "cf.br").operands(&[value]).successors(&[to]));
            }
            (_, false) => {
                let to = self.some(2, |this| this.pick(blocks));
                b.create(OpState::named(&ctx, "d.end").successors(&to));
            }
            _ if self.wrong && self.rarely(2) => self.registered_end(b, blocks, visible),
            (_, true) => {
                b.create(OpState::named(&ctx, "d.end"));
            }
        }
    }

    /// Creates a module with a function and other operations.
    fn module(&mut self) -> Module {
        let ctx = self.ctx.clone();
        let mut module = Module::new(&ctx, self.loc(2));
        let block = module.block();
        let mut b = Builder::at_end(module.body_mut(), block);
        let inputs = self.some(3, |this| this.ty(1));
        let ty = Attr::ty(&ctx, Type::function(&ctx, &inputs, &[]));
        let name = Attr::string(&ctx, self.pick(&["f", "a b", "0", "\u{e9}"]));
        let props = b.dictionary(&[("sym_name", Some(name)), ("function_type", Some(ty))]);
        let func = b.create(OpState::named(&ctx, "func.func").props(props).regions(1).loc(self.loc(2)));
        let inside = b.body_mut().nested_mut(func).expect("a function is isolated");
        let root = inside.root(0);
        let entry = inside.add_block(root, &inputs);
        let mut seen: Vec<Value> = inside.block(entry).args().collect();
        let mut within = Builder::at_end(inside, entry);
        self.ops(&mut within, &mut seen, 3);
        within.create(OpState::named(&ctx, "func.return"));
        self.ops(&mut b, &mut Vec::new(), 3);
        module
    }
}

/// Builds a module from bytes; deterministic.
pub fn module(ctx: &Context, bytes: &[u8]) -> Module {
    Maker::new(ctx, bytes).module()
}
