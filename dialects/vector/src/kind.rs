//! How elements are combined: `#vector.kind<add>`.

use crate::constraints::keyword_of;
use minoan_ir::{Attr, Context, OpRef, Type};
use minoan_services::{Datum, Evaluate, Flow, Machine, Trap};

macro_rules! kinds {
    ($($name:ident $word:literal $doc:literal $integer:expr, $float:expr;)*) => {
        /// How two elements become one.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum CombiningKind {
            $(#[doc = $doc] $name,)*
        }

        /// The words, in upstream's order.
        pub(crate) const COMBINING_KINDS: &[&str] = &[$($word),*];

        impl CombiningKind {
            /// The kind of a word: `add`.
            pub fn of_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Its word.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// Name of the operation on integers and on floats that computes it; `None` where there is none.
            fn operations(self) -> (Option<&'static str>, Option<&'static str>) {
                match self {
                    $(Self::$name => ($integer, $float),)*
                }
            }
        }
    };
}

kinds! {
    Add "add" "The sum." Some("arith.addi"), Some("arith.addf");
    Mul "mul" "The product." Some("arith.muli"), Some("arith.mulf");
    MinUI "minui" "The smaller one, of integers without a sign." Some("arith.minui"), None;
    MinSI "minsi" "The smaller one, of integers with a sign." Some("arith.minsi"), None;
    MinNumF "minnumf" "The smaller one; if one is NaN, the other." None, Some("arith.minnumf");
    MaxUI "maxui" "The larger one, of integers without a sign." Some("arith.maxui"), None;
    MaxSI "maxsi" "The larger one, of integers with a sign." Some("arith.maxsi"), None;
    MaxNumF "maxnumf" "The larger one; if one is NaN, the other." None, Some("arith.maxnumf");
    And "and" "The bits that both have." Some("arith.andi"), None;
    Or "or" "The bits that one of them has." Some("arith.ori"), None;
    Xor "xor" "The bits that exactly one of them has." Some("arith.xori"), None;
    MinimumF "minimumf" "The smaller one; NaN if one of them is." None, Some("arith.minimumf");
    MaximumF "maximumf" "The larger one; NaN if one of them is." None, Some("arith.maximumf");
}

impl CombiningKind {
    /// The kind that an attribute is.
    pub fn of_attr(ctx: &Context, attr: Attr) -> Option<Self> {
        keyword_of(ctx, attr, "kind").and_then(Self::of_word)
    }

    /// The kind of an operation that has one; a sum where none is given.
    pub(crate) fn of(op: OpRef<'_>) -> Self {
        op.attr_named("kind").and_then(|attr| Self::of_attr(op.context(), attr)).unwrap_or(Self::Add)
    }

    /// `#vector.kind<add>`.
    pub fn attr(self, ctx: &Context) -> Attr {
        Attr::opaque(ctx, "vector", &format!(".kind<{}>", self.word()))
    }

    /// Name of the operation that combines two elements of a type, or two vectors of them.
    pub fn operation(self, ctx: &Context, element: Type) -> Option<&'static str> {
        let (integer, float) = self.operations();
        if element.is_float(ctx) {
            return float;
        }
        integer.filter(|_| element == Type::INDEX || element.integer_width(ctx).is_some())
    }

    /// Combines two elements, or two vectors position by position, for an operation whose first result has this type
    /// of elements. What that computes is said by the operation that does it.
    ///
    /// # Errors
    /// If there is no such operation, or its evaluation ends in one.
    pub(crate) fn combine(
        self,
        op: OpRef<'_>,
        machine: &mut dyn Machine,
        a: Datum,
        b: Datum,
    ) -> Result<Datum, Trap> {
        let ctx = op.context();
        let element = op.result_types().next().map_or(Type::NONE, |ty| ty.element_or_self(ctx));
        let kind = self.operation(ctx, element).and_then(|name| ctx.op_kind(name));
        let answer = kind.and_then(|kind| ctx.service::<dyn Evaluate>(kind));
        let missing = || Trap::new(format!("the kind '{}' cannot be evaluated", self.word()));
        match answer.ok_or_else(missing)?.evaluate(op, &[a, b], machine)? {
            Flow::Next(mut results) if results.len() == 1 => Ok(results.remove(0)),
            _ => Err(missing()),
        }
    }
}
