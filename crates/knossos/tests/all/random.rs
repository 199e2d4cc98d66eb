//! Property test: random programs survive printing and parsing.

use crate::common::parsed;
use minoan_diag::{FileId, Span};
use minoan_knossos::ast::{
    Binding, Derivation, ExprKind, FnNameKind, Ident, Item, ItemKind, Param, Pattern, TypeKind,
};
use minoan_knossos::{ExprId, Program, check, print};
use proptest::prelude::*;

/// Builds a program from a stream of choices; without remaining choices, takes the smallest form.
struct Builder {
    program: Program,
    choices: Vec<u32>,
}

const SPAN: Span = Span { file: FileId(0), start: 0, end: 0 };
const NAMES: [&str; 12] =
    ["x", "y", "f", "add", "7of9", "-x", "a'", "g/h:k", "lam", "build", "get$1$2", "mul@ff"];

impl Builder {
    fn choose(&mut self, count: u32) -> u32 {
        self.choices.pop().unwrap_or(0) % count
    }

    fn ident(&mut self) -> Ident {
        let name = NAMES[self.choose(NAMES.len() as u32) as usize];
        Ident { name: self.program.names.intern(name), span: SPAN }
    }

    fn ty(&mut self) -> minoan_knossos::ast::TypeExprId {
        let kind = match self.choose(10) {
            0 => TypeKind::Float,
            1 => TypeKind::Integer,
            2 => TypeKind::Bool,
            3 => TypeKind::String,
            4 => TypeKind::Any,
            5 => TypeKind::Vec(self.ty()),
            6 => TypeKind::Tensor(1 + self.choose(5), self.ty()),
            7 => {
                let count = self.choose(4);
                TypeKind::Tuple((0..count).map(|_| self.ty()).collect())
            }
            8 => TypeKind::Lam(self.ty(), self.ty()),
            _ => TypeKind::LinearMap(self.ty(), self.ty()),
        };
        self.program.add_type(kind, SPAN)
    }

    fn fn_name(&mut self, depth: u32) -> minoan_knossos::ast::NameId {
        let kind = match self.choose(if depth > 3 { 2 } else { 4 }) {
            0 => FnNameKind::Plain(self.ident().name),
            1 => FnNameKind::Typed(self.ident().name, self.ty()),
            _ => {
                let known = Derivation::KNOWN[self.choose(8) as usize].1;
                FnNameKind::Derived(known, self.fn_name(depth + 1))
            }
        };
        self.program.add_fn_name(kind, SPAN)
    }

    fn params(&mut self, least: u32) -> Box<[Param]> {
        let count = least + self.choose(3);
        (0..count).map(|_| Param { name: self.ident(), ty: self.ty() }).collect()
    }

    fn exprs(&mut self) -> Box<[ExprId]> {
        let count = self.choose(4);
        (0..count).map(|_| self.expr()).collect()
    }

    fn expr(&mut self) -> ExprId {
        let kind = match self.choose(13) {
            0 => ExprKind::Var(self.ident().name),
            1 => ExprKind::Integer(
                i64::from(self.choose(u32::MAX)).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64),
            ),
            2 => ExprKind::Float(f64::from(self.choose(u32::MAX)) / 1024.0 - 1e5),
            3 => ExprKind::Float(f64::from_bits(u64::from(self.choose(0x7fe0_0000)) << 32 | 12345)),
            4 => ExprKind::Bool(self.choose(2) == 0),
            5 => {
                let text: String =
                    (0..self.choose(6)).filter_map(|_| char::from_u32(self.choose(300))).collect();
                ExprKind::String(text.into())
            }
            6 => ExprKind::Call { name: self.fn_name(0), args: self.exprs() },
            7 => ExprKind::Tuple(self.exprs()),
            8 => ExprKind::If { condition: self.expr(), then: self.expr(), otherwise: self.expr() },
            9 => ExprKind::Assert { condition: self.expr(), body: self.expr() },
            10 => ExprKind::Lam { params: self.params(1), body: self.expr() },
            11 => ExprKind::Dummy(self.ty()),
            _ => {
                let count = self.choose(4);
                let bindings = (0..count).map(|_| self.binding()).collect();
                ExprKind::Let { bindings, body: self.expr() }
            }
        };
        self.program.add_expr(kind, SPAN)
    }

    fn binding(&mut self) -> Binding {
        let pattern = match self.choose(2) {
            0 => Pattern::Var(self.ident()),
            _ => {
                let count = self.choose(4);
                Pattern::Unpack { names: (0..count).map(|_| self.ident()).collect(), ambiguous: false }
            }
        };
        // Not a single variable: `((a b) (c d))` is a different program, and is printed as nested forms.
        let values = [self.expr()];
        let value = self.program.add_expr(ExprKind::Tuple(values.into()), SPAN);
        Binding { pattern, value, span: SPAN }
    }

    fn item(&mut self) {
        let kind = match self.choose(4) {
            0 => {
                let (name, result) = (self.fn_name(0), self.ty());
                ItemKind::Def { name, result, params: self.params(0), body: self.expr() }
            }
            1 => ItemKind::Edef { name: self.fn_name(0), result: self.ty(), arg: self.ty() },
            2 => {
                let inner = self.fn_name(0);
                let name = self.program.add_fn_name(FnNameKind::Derived(Derivation::Rev, inner), SPAN);
                ItemKind::Gdef { name }
            }
            _ => ItemKind::Rule {
                name: "a \"rule\"".into(),
                params: self.params(0),
                from: self.expr(),
                to: self.expr(),
            },
        };
        self.program.items.push(Item { kind, span: SPAN });
    }
}

fn programs() -> impl Strategy<Value = Program> {
    prop::collection::vec(any::<u32>(), 0..400).prop_map(|choices| {
        let mut builder = Builder { program: Program::new(FileId(0)), choices };
        for _ in 0..3 {
            builder.item();
        }
        builder.program
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_programs_round_trip(program in programs()) {
        let printed = print(&program);
        let (again, errors) = parsed(&printed);
        prop_assert_eq!(errors, 0, "{}", printed);
        prop_assert!(program.same_structure(&again), "{}\n{}", printed, print(&again));
        // The programs need not be valid, but checking must not crash.
        check(&again);
    }

    #[test]
    fn parser_never_panics(text in "[()\\[\\]a-f\":;#|0-9 .\\-\n]{0,200}") {
        let (program, _) = parsed(&text);
        check(&program);
        print(&program);
    }
}
