//! The eighteen operators.

use std::fmt;

/// The operand and result kinds of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Numbers to a number.
    Numeric,
    /// Numbers to a boolean.
    Comparison,
    /// Booleans to a boolean.
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
            /// All operators; symbols with two characters come first, so that the first match is the longest.
            pub const ALL: [Operator; 18] = [$(Operator::$variant),*];

            /// The symbol.
            pub fn symbol(self) -> &'static str {
                match self {
                    $(Operator::$variant => $symbol,)*
                }
            }

            /// The name, such as `add` or `gte`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Operator::$variant => $name,)*
                }
            }

            /// The documentation: the meaning of the binary, unary and reducing forms.
            pub fn documentation(self) -> &'static str {
                match self {
                    $(Operator::$variant => concat!($($doc),*).trim_ascii(),)*
                }
            }

            /// The operand and result kinds.
            pub fn class(self) -> Class {
                match self {
                    $(Operator::$variant => Class::$class,)*
                }
            }

            /// Whether the operator is associative and has an identity, so that it can reduce.
            pub fn is_reducible(self) -> bool {
                match self {
                    $(Operator::$variant => $reducible,)*
                }
            }
        }
    };
}

operators! {
    /// Whether the left operand is greater than the right one; unary: than 0.
    Gt ">>" "gt" Comparison false;
    /// Greater than or equal.
    Gte ">=" "gte" Comparison false;
    /// Less than.
    Lt "<<" "lt" Comparison false;
    /// Less than or equal.
    Lte "<=" "lte" Comparison false;
    /// Equal.
    Eq "==" "eq" Comparison false;
    /// Not equal; true for NaN.
    Neq "!=" "neq" Comparison false;
    /// Conjunction; unary: no-op; reduction: all.
    And "&&" "and" Logical true;
    /// Disjunction; unary: no-op; reduction: any.
    Or "||" "or" Logical true;
    /// Exclusive or; unary: no-op; reduction: parity of the true ones.
    Xor "^^" "xor" Logical true;
    /// Negation; unary only.
    Not "!!" "not" Logical false;
    /// Sum; unary: no-op.
    Add "+" "add" Numeric true;
    /// Product; unary: no-op.
    Mul "*" "mul" Numeric true;
    /// Difference; unary: negation.
    Sub "-" "sub" Numeric false;
    /// Quotient; unary: reciprocal.
    Div "/" "div" Numeric false;
    /// Maximum, propagates NaN; unary: with 0.
    Max ">" "max" Numeric true;
    /// Minimum, propagates NaN; unary: with 0.
    Min "<" "min" Numeric true;
    /// Left operand to the power of the right one; unary: exponential.
    Pow "^" "pow" Numeric false;
    /// Logarithm of the right operand to the base of the left one; unary: natural logarithm.
    Log "$" "log" Numeric false;
}

impl Operator {
    /// The operator at the beginning of a text.
    pub fn at_start_of(text: &str) -> Option<Operator> {
        Operator::ALL.into_iter().find(|operator| text.starts_with(operator.symbol()))
    }

    /// Whether the operator has a binary form.
    pub fn is_binary(self) -> bool {
        self != Operator::Not
    }

    /// Whether the unary form is a no-op.
    pub fn is_unary_no_op(self) -> bool {
        matches!(self, Operator::Add | Operator::Mul | Operator::And | Operator::Or | Operator::Xor)
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}
