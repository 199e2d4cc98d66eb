//! The prelude: built-in functions with fixed types.

use crate::types::{TypeId, Types};

/// The operation of a prelude function. Together with the argument type it identifies an overload.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "each is the function of that name in the table")]
pub enum PreludeOp {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Mod,
    Rem,
    Pow,
    Gt,
    Lt,
    Gte,
    Lte,
    And,
    Or,
    Not,
    ToFloat,
    BoolToFloat,
    Log,
    Exp,
    Sin,
    Cos,
    Tanh,
    Cosh,
    Sqrt,
    Erf,
    Lgamma,
    Abs,
    Max,
    Min,
    ArgMax,
    Pi,
    RandomHash,
}

/// The types of the prelude.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PreludeType {
    /// `Integer`
    Integer,
    /// `Float`
    Float,
    /// `Bool`
    Bool,
    /// `(Vec Float)`
    Vector,
    /// `(Tensor 2 Float)`
    Matrix,
}

impl PreludeType {
    /// Interns the type.
    pub fn intern(self, types: &mut Types) -> TypeId {
        match self {
            PreludeType::Integer => Types::INTEGER,
            PreludeType::Float => Types::FLOAT,
            PreludeType::Bool => Types::BOOL,
            PreludeType::Vector => types.tensor(1, Types::FLOAT),
            PreludeType::Matrix => types.tensor(2, Types::FLOAT),
        }
    }
}

/// An overload of a prelude function.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct PreludeFn {
    /// The operation.
    pub op: PreludeOp,
    /// The source name.
    pub name: &'static str,
    /// The argument types.
    pub params: &'static [PreludeType],
    /// The result type.
    pub result: PreludeType,
    /// Whether programs may define a function with this name and type, which then takes precedence: true for
    /// functions that not every Knossos compiler provides.
    pub replaceable: bool,
}

macro_rules! prelude {
    ($($op:ident $name:literal ($($param:ident)*) $result:ident $($replaceable:ident)?;)*) => {
        /// All overloads.
        pub static PRELUDE: &[PreludeFn] = &[$(PreludeFn {
            op: PreludeOp::$op,
            name: $name,
            params: &[$(PreludeType::$param),*],
            result: PreludeType::$result,
            replaceable: prelude!(@ $($replaceable)?),
        }),*];
    };
    (@) => { false };
    (@ replaceable) => { true };
}

prelude! {
    Add "add" (Float Float) Float;
    Add "add" (Integer Integer) Integer;
    Sub "sub" (Float Float) Float;
    Sub "sub" (Integer Integer) Integer;
    Sub "sub" (Vector Vector) Vector;
    Sub "sub" (Vector Float) Vector;
    Mul "mul" (Float Float) Float;
    Mul "mul" (Integer Integer) Integer;
    Mul "mul" (Float Integer) Float;
    Mul "mul" (Float Vector) Vector;
    Mul "mymul" (Float Vector) Vector replaceable;
    Mul "mul" (Matrix Vector) Vector;
    Div "div" (Float Float) Float;
    Div "div" (Integer Integer) Integer;
    Neg "neg" (Float) Float;
    Neg "neg" (Integer) Integer;
    Mod "mod" (Integer Integer) Integer replaceable;
    Rem "rem" (Integer Integer) Integer replaceable;
    Pow "pow" (Float Integer) Float;
    Gt "gt" (Float Float) Bool;
    Gt "gt" (Integer Integer) Bool;
    Lt "lt" (Float Float) Bool;
    Lt "lt" (Integer Integer) Bool;
    Gte "gte" (Float Float) Bool;
    Gte "gte" (Integer Integer) Bool;
    Lte "lte" (Float Float) Bool;
    Lte "lte" (Integer Integer) Bool;
    And "and" (Bool Bool) Bool;
    Or "or" (Bool Bool) Bool;
    Not "not" (Bool) Bool;
    ToFloat "to_float" (Integer) Float;
    BoolToFloat "bool_to_float" (Bool) Float;
    Log "log" (Float) Float;
    Exp "exp" (Float) Float;
    Exp "exp" (Vector) Vector;
    Sin "sin" (Float) Float;
    Cos "cos" (Float) Float;
    Tanh "tanh" (Float) Float;
    Cosh "cosh" (Float) Float;
    Sqrt "sqrt" (Float) Float;
    Erf "erf" (Float) Float;
    Lgamma "lgamma" (Float) Float;
    Abs "abs" (Float) Float;
    Abs "abs" (Integer) Integer replaceable;
    Max "max" (Float Float) Float;
    Max "max" (Integer Integer) Integer replaceable;
    Max "max" (Vector) Float;
    Min "min" (Float Float) Float replaceable;
    Min "min" (Integer Integer) Integer replaceable;
    ArgMax "imax" (Vector) Integer;
    Pi "pi" () Float;
    RandomHash "$ranhashdoub" (Integer) Float;
}
