//! Run-time checks that the lowerings emit.

use minoan_arith::{self as arith, CmpIPredicate};
use minoan_cf::assert;
use minoan_ir::{Builder, Value};

/// The product of non-negative sizes of type `index`. A product that does not fit `index` ends the run
/// with `message`.
pub fn checked_product(b: &mut Builder<'_>, sizes: &[Value], message: &str) -> Value {
    let Some((&first, rest)) = sizes.split_first() else { return arith::constant_index(b, 1) };
    let (one, most) = (arith::constant_index(b, 1), arith::constant_index(b, i64::MAX));
    let mut product = first;
    for &size in rest {
        // The largest factor that the product so far allows.
        let divisor = arith::maxui(b, product, one);
        let limit = arith::divui(b, most, divisor);
        let fits = arith::cmpi(b, CmpIPredicate::Ule, size, limit);
        assert(b, fits, message);
        product = arith::muli(b, product, size);
    }
    product
}
