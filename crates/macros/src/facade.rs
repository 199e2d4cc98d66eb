//! The paths of the crates that generated code refers to: `::minoan_ir` if the crate depends on `minoan-ir`,
//! `::minoan::ir` if it depends on the facade only.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// The crates that generated code names, with their packages and their modules of the facade.
const CRATES: [(&str, &str, &str); 2] =
    [("minoan_ir", "minoan-ir", "ir"), ("minoan_rewrite", "minoan-rewrite", "rewrite")];

/// The path of a crate; `None` if its own name is right.
fn path(name: &str) -> Option<TokenStream> {
    let &(_, package, module) = CRATES.iter().find(|entry| entry.0 == name)?;
    match crate_name(package) {
        Ok(FoundCrate::Itself) => None,
        Ok(FoundCrate::Name(found)) => (found != name).then(|| {
            let found = format_ident!("{found}");
            quote!(::#found)
        }),
        Err(_) => {
            let module = Ident::new(module, Span::call_site());
            Some(match crate_name("minoan") {
                Ok(FoundCrate::Name(found)) => {
                    let found = format_ident!("{found}");
                    quote!(::#found::#module)
                }
                Ok(FoundCrate::Itself) => quote!(crate::#module),
                Err(_) => return None,
            })
        }
    }
}

/// Replaces `::minoan_ir` and `::minoan_rewrite` in generated code by the paths that the crate has for them.
pub fn resolve(tokens: TokenStream) -> TokenStream {
    let [ir, rewrite] = CRATES.map(|(name, ..)| path(name));
    if ir.is_none() && rewrite.is_none() {
        return tokens;
    }
    replace(tokens, &|name| match name {
        "minoan_ir" => ir.as_ref(),
        "minoan_rewrite" => rewrite.as_ref(),
        _ => None,
    })
}

fn replace<'p>(tokens: TokenStream, path: &impl Fn(&str) -> Option<&'p TokenStream>) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), replace(group.stream(), path));
                inside.set_span(group.span());
                out.push(inside.into());
            }
            TokenTree::Ident(name) if ends_with_colons(&out) => match path(&name.to_string()) {
                Some(path) => {
                    out.truncate(out.len() - 2);
                    let spanned = |mut token: TokenTree| {
                        token.set_span(token.span().located_at(name.span()));
                        token
                    };
                    out.extend(path.clone().into_iter().map(spanned));
                }
                None => out.push(name.into()),
            },
            token => out.push(token),
        }
    }
    out.into_iter().collect()
}

/// Whether the tokens end with `::`. It begins a path: no path of generated code has the name of a crate inside.
fn ends_with_colons(tokens: &[TokenTree]) -> bool {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    matches!(tokens, [.., first, second] if is_colon(first) && is_colon(second))
}
