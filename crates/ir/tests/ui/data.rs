//! Types and attributes that contradict themselves.
use minoan_ir::{AttrEnum, attr, ty};

/// A name without dialect.
#[ty("register")]
pub struct NoDialect {}

#[ty("a.undocumented")]
pub struct Undocumented {}

/// A parameter without a place.
#[ty("a.reg", assembly = "`<` $width `>`")]
pub struct NoPlace {
    width: u32,
    depth: u32,
}

/// A misspelled parameter.
#[ty("a.reg", assembly = "`<` $witdh `>`")]
pub struct Misspelled {
    width: u32,
}

/// An anchor that is always there.
#[attr("a.mark", assembly = "(`<` $mark^ `>`)?")]
pub struct Always {
    mark: i64,
}

/// No type of a parameter.
#[attr("a.map")]
pub struct NoParameter {
    map: std::collections::HashMap<String, i64>,
}

/// A verifier of other parameters.
#[ty("a.other", verify = verify_other)]
pub struct Other {
    width: u32,
}

fn verify_other(_: &minoan_ir::Context, _: bool) -> Result<(), String> {
    Ok(())
}

/// One keyword for two variants.
#[derive(Clone, Copy, AttrEnum)]
pub enum Twice {
    One,
    #[keyword("one")]
    Two,
}

fn main() {}
