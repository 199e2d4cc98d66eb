//! Property test: random modules survive printing and parsing.

use crate::common::parsed;
use minoan_diag::{FileId, Span};
use minoan_relay::ast::{
    Attr, AttrId, AttrKind, Attrs, BinaryOp, Binder, BinderId, Binding, CallExtra, Clause, DimExpr, ExprKind,
    FnId, FnNode, Ident, Item, ItemKind, Kind, Literal, MatchNode, MetaRef, PatternId, PatternKind,
    ShapeExpr, Suffix, TypeExprId, TypeKind, TypeParam, UnaryOp,
};
use minoan_relay::metadata::{ElementType, MetaNode, NdArray};
use minoan_relay::{ExprId, Module, check, print};
use proptest::prelude::*;

/// Builds a module from a stream of choices; without remaining choices, takes the smallest form.
struct Builder {
    module: Module,
    choices: Vec<u32>,
}

const SPAN: Span = Span { file: FileId(0), start: 0, end: 0 };
const NAMES: [&str; 10] = ["x", "y", "layer/w", "_", "a1", "T", "Cons", "add", "ref_of", "float32"];
const OPS: [&str; 5] = ["add", "nn.dense", "Cons", "True_", "image.resize2d"];

impl Builder {
    fn choose(&mut self, count: u32) -> u32 {
        self.choices.pop().unwrap_or(0) % count
    }

    fn many<T>(&mut self, least: u32, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + self.choose(3);
        (0..count).map(|_| one(self)).collect()
    }

    fn named(&mut self, names: &[&str]) -> Ident {
        let name = names[self.choose(names.len() as u32) as usize];
        Ident { name: self.module.names.intern(name), span: SPAN }
    }

    fn ident(&mut self) -> Ident {
        self.named(&NAMES)
    }

    /// A word without another meaning in types and patterns.
    fn word(&mut self) -> Ident {
        self.named(&["A", "List", "int32", "float32", "t", "Nat"])
    }

    fn meta(&mut self) -> MetaRef {
        let key = self.named(&["relay.Constant", "tir.Var", "VirtualDevice"]).name;
        MetaRef { key, index: self.choose(3) }
    }

    fn literal(&mut self) -> Literal {
        let bits = |builder: &mut Self| {
            u64::from(builder.choose(u32::MAX)) << 32 | u64::from(builder.choose(u32::MAX))
        };
        match self.choose(7) {
            0 => Literal::Int(i64::from(self.choose(10)), None),
            1 => Literal::Int(bits(self) as i64, Some(Suffix::Int(64))),
            2 => Literal::Int(bits(self) as i64, None),
            3 => Literal::Float(f64::from(f32::from_bits(bits(self) as u32)), Some(Suffix::Float(32))),
            4 => Literal::Float(f64::from_bits(bits(self)), Some(Suffix::Float(64))),
            5 => {
                let value = f64::from_bits(bits(self));
                Literal::Float(if value.is_finite() { value } else { 0.5 }, None)
            }
            _ => Literal::Bool(self.choose(2) == 0),
        }
    }

    fn dim(&mut self) -> DimExpr {
        match self.choose(5) {
            0 => DimExpr::Known(i64::from(self.choose(100))),
            1 => DimExpr::Any,
            2 => DimExpr::Hole,
            3 => DimExpr::Name(self.word()),
            _ => DimExpr::Meta(self.meta()),
        }
    }

    fn tensor(&mut self) -> TypeExprId {
        let shape = match self.choose(4) {
            0 => ShapeExpr::Hole,
            1 => ShapeExpr::Name(self.word()),
            _ => ShapeExpr::Dims(self.many(0, Self::dim).into()),
        };
        let dtype = (self.choose(3) > 0).then(|| self.word());
        self.module.add_type(TypeKind::Tensor { shape, dtype }, SPAN)
    }

    fn ty(&mut self) -> TypeExprId {
        let kind = match self.choose(7) {
            0 => TypeKind::Hole,
            1 => TypeKind::Tuple(self.many(0, Self::ty).into()),
            2 => {
                let type_params = self.type_params();
                TypeKind::Fn { type_params, params: self.many(0, Self::ty).into(), result: self.ty() }
            }
            3 | 4 => return self.tensor(),
            5 => TypeKind::Ref(self.ty()),
            _ => TypeKind::Name(self.word().name, self.many(0, Self::ty).into()),
        };
        self.module.add_type(kind, SPAN)
    }

    fn type_params(&mut self) -> Box<[TypeParam]> {
        let kinds = [Kind::Type, Kind::Shape, Kind::BaseType, Kind::Dim];
        self.many(0, |builder| TypeParam { name: builder.word(), kind: kinds[builder.choose(4) as usize] })
            .into()
    }

    fn optional_ty(&mut self) -> Option<TypeExprId> {
        (self.choose(2) > 0).then(|| self.ty())
    }

    fn binder(&mut self, attrs: bool) -> BinderId {
        let name = self.ident();
        let ty = self.optional_ty();
        let attrs = if attrs && self.choose(4) == 1 { self.attrs() } else { Attrs::default() };
        self.module.add_binder(Binder { name, ty, attrs })
    }

    fn attr(&mut self) -> AttrId {
        let kind = match self.choose(6) {
            0 => AttrKind::Literal(self.literal()),
            1 => AttrKind::Str(["", "float32", "a b"][self.choose(3) as usize].into()),
            2 => AttrKind::None,
            3 => AttrKind::Meta(self.meta()),
            4 => AttrKind::Expr(self.leaf()),
            // A single value in parentheses is that value, so lists are printed with brackets.
            _ => AttrKind::List(self.many(0, Self::attr).into()),
        };
        self.module.add_attr(kind, SPAN)
    }

    fn attrs(&mut self) -> Attrs {
        let names = ["axis", "Primitive", "a.b"];
        let count = self.choose(4) as usize;
        let list = names[..count].iter().map(|name| {
            let name = Ident { name: self.module.names.intern(name), span: SPAN };
            Attr { name, value: self.attr() }
        });
        let list = list.collect();
        Attrs { list, meta: None }
    }

    fn call_attrs(&mut self) -> Attrs {
        let mut attrs = self.attrs();
        if self.choose(4) == 1 {
            let key = self.module.names.intern("relay.attrs.XAttrs");
            attrs.meta = Some((MetaRef { key, index: 0 }, SPAN));
        }
        attrs
    }

    fn leaf(&mut self) -> ExprId {
        let kind = match self.choose(3) {
            0 => ExprKind::Local(self.ident().name),
            1 => ExprKind::Graph(self.choose(5)),
            _ => ExprKind::Global(self.ident().name),
        };
        self.module.add_expr(kind, SPAN)
    }

    fn list(&mut self) -> minoan_relay::ast::Run<ExprId> {
        let parts = self.many(0, Self::expr);
        self.module.add_list(parts)
    }

    fn expr(&mut self) -> ExprId {
        let kind = match self.choose(18) {
            0 => ExprKind::Literal(self.literal()),
            1 => return self.leaf(),
            2 => ExprKind::Name(self.named(&OPS).name),
            3 => ExprKind::Meta(self.meta()),
            4 => {
                let value = self.literal();
                let value = self.module.add_expr(ExprKind::Literal(value), SPAN);
                ExprKind::Filled { value, ty: self.tensor() }
            }
            5 => ExprKind::Call { callee: self.expr(), args: self.list(), extra: None },
            6 => {
                let callee = self.expr();
                let type_args: Box<[TypeExprId]> = self.many(0, Self::ty).into();
                let attrs = self.call_attrs();
                let empty = type_args.is_empty() && attrs.is_empty();
                let extra = (!empty).then(|| self.module.add_extra(CallExtra { type_args, attrs }));
                ExprKind::Call { callee, args: self.list(), extra }
            }
            7 => {
                let ops = [
                    BinaryOp::Mul,
                    BinaryOp::Div,
                    BinaryOp::Add,
                    BinaryOp::Sub,
                    BinaryOp::Less,
                    BinaryOp::GreaterEqual,
                    BinaryOp::NotEqual,
                    BinaryOp::And,
                    BinaryOp::Or,
                ];
                ExprKind::Binary(ops[self.choose(9) as usize], self.expr(), self.expr())
            }
            8 => ExprKind::Unary([UnaryOp::Negative, UnaryOp::Not][self.choose(2) as usize], self.expr()),
            9 => ExprKind::Tuple(self.list()),
            10 => ExprKind::Project(self.expr(), self.choose(12)),
            11 => ExprKind::Fn(self.function()),
            12 => ExprKind::If { condition: self.expr(), then: self.expr(), otherwise: self.expr() },
            13 => {
                let value = self.expr();
                let clauses =
                    self.many(0, |builder| Clause { pattern: builder.pattern(), body: builder.expr() });
                let partial = self.choose(2) == 0;
                ExprKind::Match(self.module.add_match(MatchNode { value, partial, clauses: clauses.into() }))
            }
            14 => ExprKind::Ref(self.expr()),
            15 => ExprKind::RefRead(self.expr()),
            16 => ExprKind::RefWrite(self.expr(), self.expr()),
            _ => {
                let bindings = self.many(1, Self::binding);
                let body = self.expr();
                ExprKind::Block(self.module.add_block(bindings, body))
            }
        };
        self.module.add_expr(kind, SPAN)
    }

    fn binding(&mut self) -> Binding {
        match self.choose(3) {
            0 => Binding::Let(self.binder(false), self.expr()),
            1 => Binding::Graph { index: self.choose(10), span: SPAN, value: self.expr() },
            _ => Binding::Free(self.binder(false)),
        }
    }

    fn pattern(&mut self) -> PatternId {
        let kind = match self.choose(4) {
            0 => PatternKind::Wildcard,
            1 => PatternKind::Var(self.binder(false)),
            2 => PatternKind::Ctor(self.named(&["Cons", "Nil"]), self.many(0, Self::pattern).into()),
            _ => PatternKind::Tuple(self.many(0, Self::pattern).into()),
        };
        self.module.add_pattern(kind, SPAN)
    }

    fn function(&mut self) -> FnId {
        let node = FnNode {
            type_params: self.type_params(),
            params: self.many(0, |builder| builder.binder(true)).into(),
            attrs: self.attrs(),
            result: self.optional_ty(),
            relations: self.many(0, |builder| builder.named(&["Broadcast", "Identity"])).into(),
            body: self.expr(),
            span: SPAN,
        };
        self.module.add_function(node)
    }

    fn item(&mut self) {
        let kind = if self.choose(3) == 0 {
            let (name, type_params) = (self.word(), self.type_params());
            let external = self.choose(4) == 1;
            let ctors = if external {
                Vec::new()
            } else {
                self.many(0, |it| (it.word(), it.many(0, Self::ty).into()))
            };
            ItemKind::Data(self.module.add_data(name, type_params, ctors, external))
        } else {
            ItemKind::Def { name: self.ident(), function: self.function() }
        };
        self.module.items.push(Item { kind, span: SPAN });
    }

    fn metadata(&mut self) {
        if self.choose(3) != 0 {
            return;
        }
        for _ in 0..self.choose(3) {
            let element = ElementType { code: 2, bits: 32, lanes: 1 };
            let data: Vec<u8> = self.choose(u32::MAX).to_le_bytes().repeat(2);
            self.module.metadata.add_constant(NdArray { element, shape: vec![2, 1], data });
        }
        let mut node = MetaNode::new("tir.Var");
        node.attrs.insert("name".to_owned(), "n \"quoted\" \\ é".to_owned());
        node.repr = Some(String::new());
        self.module.metadata.add(node);
    }
}

fn modules() -> impl Strategy<Value = Module> {
    prop::collection::vec(any::<u32>(), 0..400).prop_map(|choices| {
        let mut builder = Builder { module: Module::new(FileId(0)), choices };
        for _ in 0..3 {
            builder.item();
        }
        builder.metadata();
        builder.module
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_modules_round_trip(module in modules()) {
        let printed = print(&module);
        let (again, errors) = parsed(&printed);
        prop_assert_eq!(errors, 0, "{}", printed);
        prop_assert!(module.same_structure(&again), "{}\n{}", printed, print(&again));
        // The modules need not be valid, but checking must not crash.
        check(again);
    }

    #[test]
    fn parser_never_panics(text in "(def @|let %|[(){}\\[\\]a-f%@\"=:;#|0-9 .,\\-\n/*]|fn |if |match |=> |->|meta){0,60}") {
        let (module, _) = parsed(&text);
        print(&module);
        check(module);
    }
}
