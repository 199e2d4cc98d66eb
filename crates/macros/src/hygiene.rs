//! Code whose local variables do not collide with the names of fields.

/// Like [`quote::quote!`], but a variable of the generated code, such as the parameter `b` of `build`, is another one than a
/// field of this name, which is a parameter as well.
macro_rules! quote {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site() => $($tokens)*)
    };
}

pub(crate) use quote;
