//! Conversions of conversions.

use crate::*;
use minoan_rewrite::{PatternSet, pattern};

/// The same conversion of what was extended before.
macro_rules! of_extended {
    ($patterns:ident $($op:ident $ext:ident => $new:ident $name:literal)*) => {$(
        $patterns.add(pattern!($name:
            root @ $op($ext(x)) => $new(x, { rw.ty(root.out(rw.body())) })));
    )*};
}

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    of_extended! { patterns
        IndexCast ExtSI => IndexCast "arith-index-cast-extsi"
        IndexCastUI ExtUI => IndexCastUI "arith-index-castui-extui"
        SIToFP ExtSI => SIToFP "arith-sitofp-extsi"
        SIToFP ExtUI => UIToFP "arith-sitofp-extui"
        UIToFP ExtUI => UIToFP "arith-uitofp-extui"
        Bitcast Bitcast => Bitcast "arith-bitcast-bitcast"
    }
}
