//! The attribute `#complex.number`.

use crate::constraints::{complex_type, part_type};
use minoan_ir::text::{AttrParser, AttrPrinter, ParseError};
use minoan_ir::{Attr, Context, Type, attr};

/// A complex number: `#complex.number<:f64 1.0, -2.0>`.
#[attr(
    "complex.number",
    assembly = custom(NumberAttr::parse, NumberAttr::print),
    verify = verify,
    describe = "A complex number attribute"
)]
pub struct NumberAttr {
    /// The real part.
    real: Attr,
    /// The imaginary part.
    imaginary: Attr,
    /// The complex type.
    #[param(self_type)]
    ty: Type,
}

fn verify(ctx: &Context, real: Attr, imaginary: Attr, ty: Type) -> Result<(), String> {
    let part = part_type(ctx, ty).filter(|part| part.is_float(ctx));
    if part.is_some() && [real, imaginary].iter().all(|value| value.value_type(ctx) == part) {
        return Ok(());
    }
    Err("the parts of a complex number are floats of the element type of its type".to_owned())
}

impl NumberAttr {
    fn parse(p: &mut AttrParser<'_, '_>) -> Result<Self, ParseError> {
        let ctx = p.ctx();
        p.punct("<")?;
        p.punct(":")?;
        let span = p.span();
        let part = p.ty()?;
        if !part.is_float(ctx) {
            return Err(p.error_at(span, "expected a floating-point type"));
        }
        let real = p.float(part)?;
        p.punct(",")?;
        let imaginary = p.float(part)?;
        p.punct(">")?;
        let ty = complex_type(ctx, part);
        if p.optional_punct(":") {
            let span = p.span();
            if p.ty()? != ty {
                return Err(p.error_at(span, "the type of a complex number has its parts as elements"));
            }
        }
        p.checked(Self::checked(ctx, real, imaginary, ty))
    }

    fn print(self, p: &mut AttrPrinter<'_, '_>) {
        let ctx = p.ctx();
        let (real, imaginary) = (self.real(ctx), self.imaginary(ctx));
        p.text("<:");
        if let Some(part) = real.value_type(ctx) {
            p.ty(part);
        }
        p.text(" ");
        p.attr_without_type(real);
        p.text(", ");
        p.attr_without_type(imaginary);
        p.text(">");
    }
}
