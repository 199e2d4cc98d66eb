//! The arguments of a field's attribute.

use crate::field::{Default, last_segment};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, Ident, Lit, LitStr, Meta, Path, Result, Token, Type};

/// The arguments of a field's attribute: a constraint, flags, texts, and lists of names.
pub struct Options {
    pub constraint: Option<Path>,
    flags: Vec<Ident>,
    lists: Vec<(Ident, Vec<Ident>)>,
    values: Vec<(Ident, Expr)>,
}

impl Options {
    pub fn empty() -> Self {
        Self { constraint: None, flags: Vec::new(), lists: Vec::new(), values: Vec::new() }
    }

    pub fn of(attr: &Attribute) -> Result<Self> {
        match &attr.meta {
            Meta::Path(_) => Ok(Self::empty()),
            _ => attr.parse_args(),
        }
    }

    pub fn allow(&self, allowed: &[&str]) -> Result<()> {
        let lists = self.lists.iter().map(|(word, _)| word);
        for word in self.flags.iter().chain(lists).chain(self.values.iter().map(|(word, _)| word)) {
            if !allowed.iter().any(|allowed| word == allowed) {
                let known = match allowed {
                    [] => "no options are allowed here".to_owned(),
                    _ => format!("allowed here: `{}`", allowed.join("`, `")),
                };
                return Err(Error::new(word.span(), format!("unknown option `{word}`; {known}")));
            }
        }
        Ok(())
    }

    pub fn no_constraint(&self, what: &str) -> Result<()> {
        match &self.constraint {
            Some(path) => Err(Error::new_spanned(path, format!("{what} has no constraint"))),
            None => Ok(()),
        }
    }

    pub fn required_constraint(&self, attr: &Attribute, example: &str) -> Result<Path> {
        self.constraint.clone().ok_or_else(|| {
            let word = attr.path().to_token_stream();
            Error::new_spanned(attr, format!("a constraint is missing: `#[{word}({example})]`"))
        })
    }

    pub fn flag(&self, word: &str) -> bool {
        self.flags.iter().any(|flag| flag == word)
    }

    pub fn list(&self, word: &str) -> Option<Vec<Ident>> {
        self.lists.iter().find(|(name, _)| name == word).map(|(_, list)| list.clone())
    }

    pub fn text(&self, word: &str) -> Result<Option<LitStr>> {
        let mut found = self.values.iter().filter(|(name, _)| name == word);
        let first = found.next().map(|(_, text)| text.clone());
        match (found.next(), first) {
            (Some((again, _)), _) => Err(Error::new(again.span(), format!("`{word}` is given twice"))),
            (None, Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. }))) => Ok(Some(text)),
            (None, Some(other)) => Err(Error::new(other.span(), format!("`{word}` is a text in quotes"))),
            (None, None) => Ok(None),
        }
    }

    /// The default value: the text of an attribute in quotes, or an expression of the Rust type.
    pub fn default(&self, ty: Option<&Type>) -> Result<Option<Default>> {
        let Some((word, value)) = self.values.iter().find(|(word, _)| word == "default") else {
            return Ok(None);
        };
        let is_string = matches!(ty.and_then(last_segment), Some((name, None)) if name == "String");
        match (value, ty) {
            (Expr::Lit(ExprLit { lit: Lit::Str(_), .. }), _) if is_string => {
                Ok(Some(Default::Value(Box::new(syn::parse_quote!(::std::string::String::from(#value))))))
            }
            (Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), _) => {
                self.text("default")?;
                Ok(Some(Default::Text(text.clone())))
            }
            (_, Some(_)) => Ok(Some(Default::Value(Box::new(value.clone())))),
            (_, None) => Err(Error::new(word.span(), "the default of an `Attr` is its text in quotes")),
        }
    }
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut options = Options::empty();
        while !input.is_empty() {
            if input.peek(Ident) && input.peek2(Token![=]) {
                let word: Ident = input.parse()?;
                input.parse::<Token![=]>()?;
                options.values.push((word, input.parse::<Expr>()?));
            } else if input.peek(Ident) && input.peek2(syn::token::Paren) {
                let word = input.parse()?;
                options.lists.push((word, crate::declaration::idents(input)?));
            } else {
                let path: Path = input.parse()?;
                // Flags are lower case, constraints are statics.
                match path.get_ident() {
                    Some(word) if is_lower(word) => options.flags.push(word.clone()),
                    _ if options.constraint.is_none() => options.constraint = Some(path),
                    _ => return Err(Error::new_spanned(path, "a second constraint")),
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

fn is_lower(word: &Ident) -> bool {
    word.to_string().chars().all(|letter| letter.is_lowercase() || letter == '_')
}
