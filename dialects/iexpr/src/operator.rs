//! The eighteen operators.

use std::fmt;

/// What kind of values an operator works on and gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Takes numbers, gives a number.
    Numeric,
    /// Takes numbers, gives a truth value.
    Comparison,
    /// Takes truth values, gives one.
    Logical,
}

macro_rules! operators {
    ($($(#[doc = $doc:literal])* $variant:ident $symbol:literal $name:literal $class:ident $reducible:literal;)*) => {
        /// A scalar operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Operator {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Operator {
            /// All of them; symbols of two characters come first, so that the first that fits is the longest.
            pub const ALL: [Operator; 18] = [$(Operator::$variant),*];

            /// How it is written.
            pub fn symbol(self) -> &'static str {
                match self {
                    $(Operator::$variant => $symbol,)*
                }
            }

            /// Its name: `add`, `gte`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Operator::$variant => $name,)*
                }
            }

            /// What it works on and gives.
            pub fn class(self) -> Class {
                match self {
                    $(Operator::$variant => Class::$class,)*
                }
            }

            /// Whether it is associative and has an identity, so that it can reduce.
            pub fn is_reducible(self) -> bool {
                match self {
                    $(Operator::$variant => $reducible,)*
                }
            }
        }
    };
}

operators! {
    /// Whether the left operand, or the only one, is greater than the right one, or than 0.
    Gt ">>" "gt" Comparison false;
    /// Greater or equal.
    Gte ">=" "gte" Comparison false;
    /// Less.
    Lt "<<" "lt" Comparison false;
    /// Less or equal.
    Lte "<=" "lte" Comparison false;
    /// Equal.
    Eq "==" "eq" Comparison false;
    /// Not equal; true for a NaN.
    Neq "!=" "neq" Comparison false;
    /// Both; nothing with one operand; all.
    And "&&" "and" Logical true;
    /// One or both; nothing with one operand; any.
    Or "||" "or" Logical true;
    /// Just one; nothing with one operand; whether the number of true ones is odd.
    Xor "^^" "xor" Logical true;
    /// The opposite of the only operand.
    Not "!!" "not" Logical false;
    /// Sum; nothing with one operand.
    Add "+" "add" Numeric true;
    /// Product; nothing with one operand.
    Mul "*" "mul" Numeric true;
    /// Difference; opposite.
    Sub "-" "sub" Numeric false;
    /// Quotient; reciprocal.
    Div "/" "div" Numeric false;
    /// The larger one, or the NaN; with 0 when there is one operand.
    Max ">" "max" Numeric true;
    /// The smaller one, or the NaN; with 0 when there is one operand.
    Min "<" "min" Numeric true;
    /// The left operand to the power of the right one; e to the power of the only one.
    Pow "^" "pow" Numeric false;
    /// Logarithm of the right operand to the base that is the left one; natural logarithm of the only one.
    Log "$" "log" Numeric false;
}

impl Operator {
    /// The operator that a text begins with.
    pub fn at_start_of(text: &str) -> Option<Operator> {
        Operator::ALL.into_iter().find(|operator| text.starts_with(operator.symbol()))
    }

    /// Whether it can stand between two operands.
    pub fn is_binary(self) -> bool {
        self != Operator::Not
    }

    /// Whether it gives its only operand unchanged.
    pub fn is_unary_no_op(self) -> bool {
        matches!(self, Operator::Add | Operator::Mul | Operator::And | Operator::Or | Operator::Xor)
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}
