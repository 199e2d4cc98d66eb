//! Generates the handle, its documentation, and one accessor per field.

use crate::declaration::{Assembly, Declaration};
use crate::field::{Arity, AttrField, Common, ValueField};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

/// The struct.
pub fn handle(declaration: &Declaration) -> TokenStream {
    let Declaration { attrs, vis, ident, .. } = declaration;
    let table = table(declaration);
    let table = if table.is_empty() { None } else { Some(quote!(#[doc = #table])) };
    quote! {
        #(#attrs)*
        #table
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #vis struct #ident(::minoan_ir::Op);
    }
}

/// A table of the declared parts, for the documentation.
fn table(declaration: &Declaration) -> String {
    let mut text = String::new();
    let mut section = |title: &str, rows: Vec<String>| {
        if !rows.is_empty() {
            text.push_str(&format!("\n\n# {title}\n\n{}", rows.join("\n")));
        }
    };
    section("Operands", declaration.operands.iter().map(row).collect());
    let attribute = |field: &AttrField| {
        let constraint = match (&field.value, &field.constraint) {
            _ if field.unit => "unit".to_owned(),
            (Some(ty), _) => format!("`{}`", ty.to_token_stream().to_string().replace(' ', "")),
            (None, Some(constraint)) => format!("[`{}`]", path(constraint)),
            (None, None) => "`Attr`".to_owned(),
        };
        let note = match (&field.default, field.optional) {
            (Some(default), _) => format!(", `{}` by default", default.shown()),
            (None, true) => ", optional".to_owned(),
            (None, false) => String::new(),
        };
        format!("* `{}`: {constraint}{note}{}", field.ir_name, description(&field.common))
    };
    section("Attributes", declaration.attributes.iter().map(attribute).collect());
    section("Results", declaration.results.iter().map(row).collect());
    let regions = declaration.regions.iter().map(|field| {
        let number = if field.variadic { ", any number" } else { "" };
        format!("* `{}`{number}{}", field.common.name, description(&field.common))
    });
    section("Regions", regions.collect());
    let successors = declaration.successors.iter().map(|field| {
        let number = if field.variadic { ", any number" } else { "" };
        format!("* `{}`{number}{}", field.common.name, description(&field.common))
    });
    section("Successors", successors.collect());
    if let Some(Assembly::Format(format)) = &declaration.args.assembly {
        section(
            "Assembly format",
            vec![format!("````text\n{} {}\n````", declaration.args.name.value(), format.value())],
        );
    }
    text
}

fn row(field: &ValueField) -> String {
    let number = match field.arity {
        Arity::One => "",
        Arity::Optional => ", optional",
        Arity::Variadic => ", any number",
    };
    format!(
        "* `{}`: [`{}`]{number}{}",
        field.common.name,
        path(&field.constraint),
        description(&field.common)
    )
}

fn description(common: &Common) -> String {
    let words = common.docs.join(" ");
    if words.trim().is_empty() { String::new() } else { format!(" — {}", words.trim()) }
}

fn path(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// The accessors of all fields.
pub fn accessors(declaration: &Declaration) -> TokenStream {
    let mut all = TokenStream::new();
    all.extend(values(declaration, &declaration.operands, "operand"));
    all.extend(operand_values(declaration));
    all.extend(values(declaration, &declaration.results, "result"));
    for (index, field) in declaration.attributes.iter().enumerate() {
        all.extend(attribute(declaration, field, index));
    }
    all.extend(regions(declaration));
    all.extend(successors(declaration));
    all
}

fn values(declaration: &Declaration, fields: &[ValueField], what: &str) -> TokenStream {
    let one = format_ident!("{what}");
    let group = format_ident!("{what}_group");
    let mut all = TokenStream::new();
    let mut leading = true;
    for (index, field) in fields.iter().enumerate() {
        leading &= field.arity == Arity::One;
        let name = &field.common.ident;
        let doc = doc(declaration, &field.common, what);
        let many = matches!(field.arity, Arity::Variadic);
        let doc =
            if field.common.docs.is_empty() && many { doc.replacen("The", "The values of", 1) } else { doc };
        all.extend(match field.arity {
            Arity::One if leading => quote! {
                #[doc = #doc]
                #[inline]
                #[track_caller]
                pub fn #name(self, body: &::minoan_ir::Body) -> ::minoan_ir::Value {
                    body.op(self.0).#one(#index)
                }
            },
            Arity::One => {
                let missing =
                    format!("'{}' has its {what} '{}'", declaration.args.name.value(), field.common.name);
                quote! {
                    #[doc = #doc]
                    #[track_caller]
                    pub fn #name(self, body: &::minoan_ir::Body) -> ::minoan_ir::Value {
                        body.op(self.0).#group(#index).first().copied().expect(#missing)
                    }
                }
            }
            Arity::Optional => quote! {
                #[doc = #doc]
                #[track_caller]
                pub fn #name(self, body: &::minoan_ir::Body) -> ::core::option::Option<::minoan_ir::Value> {
                    body.op(self.0).#group(#index).first().copied()
                }
            },
            Arity::Variadic => quote! {
                #[doc = #doc]
                #[track_caller]
                pub fn #name(self, body: &::minoan_ir::Body) -> ::std::vec::Vec<::minoan_ir::Value> {
                    body.op(self.0).#group(#index)
                }
            },
        });
    }
    all
}

/// All operands: as an array if their number is fixed, else as a tuple with one part for each declared operand.
fn operand_values(declaration: &Declaration) -> TokenStream {
    let count = declaration.operands.len();
    if declaration.operands.iter().any(|field| field.arity != Arity::One) {
        let types = declaration.operands.iter().map(|field| match field.arity {
            Arity::One => quote!(::minoan_ir::Value),
            Arity::Optional => quote!(::core::option::Option<::minoan_ir::Value>),
            Arity::Variadic => quote!(::std::vec::Vec<::minoan_ir::Value>),
        });
        let names = declaration.operands.iter().map(|field| &field.common.ident);
        let doc =
            format!("The operands of the `{}`, in order of declaration.", declaration.args.name.value());
        return quote! {
            #[doc = #doc]
            #[track_caller]
            pub fn operand_values(self, body: &::minoan_ir::Body) -> (#(#types,)*) {
                (#(self.#names(body),)*)
            }
        };
    }
    let indices = 0..count;
    let view = (count > 0).then(|| quote!(let op = body.op(self.0);));
    let doc = format!("The operands of the `{}`, in order.", declaration.args.name.value());
    quote! {
        #[doc = #doc]
        #[inline]
        #[track_caller]
        #[allow(unused_variables, reason = "there may be no operand")]
        pub fn operand_values(self, body: &::minoan_ir::Body) -> [::minoan_ir::Value; #count] {
            #view
            [#(op.operand(#indices)),*]
        }
    }
}

fn attribute(declaration: &Declaration, field: &AttrField, index: usize) -> TokenStream {
    let name = &field.common.ident;
    let setter = format_ident!("set_{}", field.common.name);
    let ir_name = &field.ir_name;
    let doc = doc(declaration, &field.common, "attribute");
    let set_doc = format!("Sets the attribute `{ir_name}`.");
    if field.unit {
        return quote! {
            #[doc = #doc]
            #[track_caller]
            pub fn #name(self, body: &::minoan_ir::Body) -> bool {
                body.op(self.0).attr_named(#ir_name).is_some()
            }
            #[doc = #set_doc]
            ///
            /// `false` removes it.
            #[track_caller]
            pub fn #setter(self, body: &mut ::minoan_ir::Body, value: bool) {
                let name = body.context().name(#ir_name);
                body.set_attr(self.0, name, value.then_some(::minoan_ir::Attr::UNIT));
            }
        };
    }
    if let Some(ty) = &field.value {
        use crate::hygiene::quote;

        let (param, value) =
            crate::field::attr_param(&AttrField { common: field.common.as_value(), ..field.clone() });
        let (get, function) = match field.optional {
            true => (
                quote!(::core::option::Option<<#ty as ::minoan_ir::AttrValue>::Get<'_>>),
                quote!(optional_value),
            ),
            false => (quote!(<#ty as ::minoan_ir::AttrValue>::Get<'_>), quote!(value)),
        };
        let value = if field.optional { value } else { quote!(::core::option::Option::Some(#value)) };
        return quote! {
            #[doc = #doc]
            ///
            /// # Panics
            /// Panics if the attribute is missing and has no default, or is of another kind, which the verifier reports.
            #[track_caller]
            pub fn #name(self, body: &::minoan_ir::Body) -> #get {
                ::minoan_ir::generated::#function::<Self, #ty>(body, self.0, #index)
            }
            #[doc = #set_doc]
            #[track_caller]
            pub fn #setter(self, body: &mut ::minoan_ir::Body, #param) {
                let ctx = body.context().clone();
                let attr = #value;
                body.set_attr(self.0, ctx.name(#ir_name), attr);
            }
        };
    }
    if field.optional {
        return quote! {
            #[doc = #doc]
            #[track_caller]
            pub fn #name(self, body: &::minoan_ir::Body) -> ::core::option::Option<::minoan_ir::Attr> {
                body.op(self.0).attr_named(#ir_name)
            }
            #[doc = #set_doc]
            ///
            /// `None` removes it.
            #[track_caller]
            pub fn #setter(self, body: &mut ::minoan_ir::Body, value: ::core::option::Option<::minoan_ir::Attr>) {
                let name = body.context().name(#ir_name);
                body.set_attr(self.0, name, value);
            }
        };
    }
    quote! {
        #[doc = #doc]
        ///
        /// # Panics
        /// Panics if the attribute is missing and has no default, which the verifier reports.
        #[track_caller]
        pub fn #name(self, body: &::minoan_ir::Body) -> ::minoan_ir::Attr {
            ::minoan_ir::generated::attr::<Self>(body, self.0, #index)
        }
        #[doc = #set_doc]
        #[track_caller]
        pub fn #setter(self, body: &mut ::minoan_ir::Body, value: ::minoan_ir::Attr) {
            let name = body.context().name(#ir_name);
            body.set_attr(self.0, name, ::core::option::Option::Some(value));
        }
    }
}

fn regions(declaration: &Declaration) -> TokenStream {
    if declaration.has("ISOLATED") {
        let op = declaration.args.name.value();
        let doc = format!("The storage of the contents of the `{op}`: its regions are that body's own.");
        let missing = format!("'{op}' owns a body");
        let regions = declaration.regions.iter().enumerate().map(|(index, field)| {
            let name = format_ident!("{}_region", field.common.name);
            let doc =
                format!("The region `{}`, of the body that [`Self::inside`] returns.", field.common.name);
            quote! {
                #[doc = #doc]
                #[track_caller]
                pub fn #name(self, body: &::minoan_ir::Body) -> ::minoan_ir::Region {
                    self.inside(body).regions().nth(#index).expect(#missing)
                }
            }
        });
        return quote! {
            #(#regions)*
            #[doc = #doc]
            #[track_caller]
            pub fn inside(self, body: &::minoan_ir::Body) -> &::minoan_ir::Body {
                body.nested(self.0).expect(#missing)
            }
            #[doc = #doc]
            #[track_caller]
            pub fn inside_mut(self, body: &mut ::minoan_ir::Body) -> &mut ::minoan_ir::Body {
                body.nested_mut(self.0).expect(#missing)
            }
        };
    }
    let mut all = TokenStream::new();
    for (index, field) in declaration.regions.iter().enumerate() {
        let name = &field.common.ident;
        let doc = doc(declaration, &field.common, "region");
        all.extend(if field.variadic {
            quote! {
                #[doc = #doc]
                #[track_caller]
                pub fn #name(self, body: &::minoan_ir::Body) -> ::std::vec::Vec<::minoan_ir::Region> {
                    body.op(self.0).own_regions().skip(#index).collect()
                }
            }
        } else {
            quote! {
                #[doc = #doc]
                #[track_caller]
                pub fn #name(self, body: &::minoan_ir::Body) -> ::minoan_ir::Region {
                    body.op(self.0).region(#index)
                }
            }
        });
    }
    all
}

fn successors(declaration: &Declaration) -> TokenStream {
    let mut all = TokenStream::new();
    for (index, field) in declaration.successors.iter().enumerate() {
        let name = &field.common.ident;
        let doc = doc(declaration, &field.common, "successor");
        all.extend(if field.variadic {
            quote! {
                #[doc = #doc]
                #[track_caller]
                pub fn #name(self, body: &::minoan_ir::Body) -> ::std::vec::Vec<::minoan_ir::Block> {
                    body.op(self.0).successors().skip(#index).collect()
                }
            }
        } else {
            let missing =
                format!("'{}' has its successor '{}'", declaration.args.name.value(), field.common.name);
            quote! {
                #[doc = #doc]
                #[track_caller]
                pub fn #name(self, body: &::minoan_ir::Body) -> ::minoan_ir::Block {
                    body.op(self.0).successors().nth(#index).expect(#missing)
                }
            }
        });
    }
    all
}

fn doc(declaration: &Declaration, common: &Common, what: &str) -> String {
    match common.docs.is_empty() {
        true => format!("The {what} `{}` of the `{}`.", common.name, declaration.args.name.value()),
        false => common.docs.join("\n"),
    }
}
