//! `pattern!`: generates an implementation of `Pattern` from a left-hand and a right-hand side.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Block, Expr, Ident, LitInt, LitStr, Pat, Path, Token, parenthesized};

/// `"name", benefit = 2: left if guard => right`.
pub struct Declaration {
    name: LitStr,
    benefit: Option<LitInt>,
    left: Tree,
    guards: Vec<Guard>,
    right: Build,
}

/// The left-hand side.
enum Tree {
    /// `binding @ Op(tree, ..)`.
    Op { binding: Option<Ident>, path: Path, args: Vec<Tree> },
    /// `constant(attr)`.
    Constant(Ident),
    /// A value; equal names denote the same value.
    Hole(Ident),
    /// `name..`: the values of a variadic operand. Equal names denote the same values.
    Values(Ident),
    /// `name?`: the value of an optional operand, if there is one.
    Maybe(Ident),
    /// Any value.
    Any,
    /// `_..` or `_?`: any values.
    AnyNumber,
}

enum Guard {
    Holds(Expr),
    Let(Pat, Expr),
}

/// The right-hand side.
enum Build {
    Op {
        path: Path,
        args: Vec<Build>,
        /// The location of the arguments.
        span: Span,
    },
    Constant(Expr),
    Hole(Ident),
    /// `name..`: values, for a variadic operand.
    Values(Ident),
    /// `name?`: an optional value.
    Maybe(Ident),
    Rust(Block),
}

impl Parse for Declaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        let mut benefit = None;
        if input.parse::<Option<Token![,]>>()?.is_some() {
            let word: Ident = input.parse()?;
            if word != "benefit" {
                return Err(syn::Error::new(word.span(), "expected `benefit = number`"));
            }
            input.parse::<Token![=]>()?;
            benefit = Some(input.parse()?);
        }
        input.parse::<Token![:]>()?;
        let left: Tree = input.parse()?;
        if !matches!(left, Tree::Op { .. }) {
            return Err(syn::Error::new(Span::call_site(), "the left side must be an operation"));
        }
        let mut guards = Vec::new();
        while input.parse::<Option<Token![if]>>()?.is_some() {
            guards.push(if input.parse::<Option<Token![let]>>()?.is_some() {
                let pattern = Pat::parse_multi_with_leading_vert(input)?;
                input.parse::<Token![=]>()?;
                Guard::Let(pattern, input.parse()?)
            } else {
                Guard::Holds(input.parse()?)
            });
        }
        input.parse::<Token![=>]>()?;
        Ok(Self { name, benefit, left, guards, right: input.parse()? })
    }
}

fn list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let inside;
    parenthesized!(inside in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&inside)?.into_iter().collect())
}

/// The number of values bound to a name.
#[derive(PartialEq, Eq)]
enum Number {
    One,
    Any,
    Optional,
}

/// The `..` or `?` after a name.
fn arity(input: ParseStream<'_>) -> syn::Result<Number> {
    if input.parse::<Option<Token![..]>>()?.is_some() {
        return Ok(Number::Any);
    }
    Ok(if input.parse::<Option<Token![?]>>()?.is_some() { Number::Optional } else { Number::One })
}

/// Names of operations begin with an upper-case letter, or are paths.
fn is_op(path: &Path) -> bool {
    let last = path.segments.last().map(|segment| segment.ident.to_string());
    last.is_some_and(|last| last.starts_with(|first: char| first.is_uppercase()))
}

impl Parse for Tree {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.parse::<Option<Token![_]>>()?.is_some() {
            let some = arity(input)?;
            return Ok(if some == Number::One { Tree::Any } else { Tree::AnyNumber });
        }
        let mut binding = None;
        if input.peek(Ident) && input.peek2(Token![@]) {
            binding = Some(input.parse()?);
            input.parse::<Token![@]>()?;
        }
        let path: Path = input.parse()?;
        if is_op(&path) {
            return Ok(Tree::Op { binding, path, args: list(input)? });
        }
        if let Some(binding) = binding {
            return Err(syn::Error::new(binding.span(), "only an operation can be named with `@`"));
        }
        let name = path.require_ident()?.clone();
        if name != "constant" {
            return Ok(match arity(input)? {
                Number::One => Tree::Hole(name),
                Number::Any => Tree::Values(name),
                Number::Optional => Tree::Maybe(name),
            });
        }
        match &list::<Ident>(input)?[..] {
            [attr] => Ok(Tree::Constant(attr.clone())),
            _ => Err(syn::Error::new(name.span(), "`constant` takes one name, of its attribute")),
        }
    }
}

impl Parse for Build {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::token::Brace) {
            return input.parse().map(Build::Rust);
        }
        let path: Path = input.parse()?;
        if is_op(&path) {
            let inside;
            let span = parenthesized!(inside in input).span.join();
            let args = Punctuated::<Build, Token![,]>::parse_terminated(&inside)?;
            return Ok(Build::Op { path, args: args.into_iter().collect(), span });
        }
        let name = path.require_ident()?.clone();
        if name != "constant" {
            return Ok(match arity(input)? {
                Number::One => Build::Hole(name),
                Number::Any => Build::Values(name),
                Number::Optional => Build::Maybe(name),
            });
        }
        let inside;
        parenthesized!(inside in input);
        inside.parse().map(Build::Constant)
    }
}

/// The implementation, as an expression.
pub fn expand(declaration: &Declaration) -> syn::Result<TokenStream> {
    let Declaration { name, benefit, left, guards, right } = declaration;
    let Tree::Op { binding, path: root, args } = left else { unreachable!("checked when it was parsed") };
    let mut matching = Matching::default();
    matching.bind(binding.as_ref())?;
    matching.operands(root, args, &format_ident!("__root"))?;
    let binding = binding.iter();
    let steps = &matching.steps;
    let guards = guards.iter().map(guard);

    let mut building =
        Building { known: &matching.known, generated: Vec::new(), before: TokenStream::new(), count: 0 };
    let value = building.build(right, &declaration.guards)?;
    let Building { generated, before, .. } = building;
    let benefit = benefit.as_ref().map(|benefit| quote!(fn benefit(&self) -> u16 { #benefit }));
    Ok(quote! {{
        struct Declared;
        impl ::minoan_rewrite::Pattern for Declared {
            fn name(&self) -> &str { #name }
            fn root(&self) -> ::minoan_rewrite::Root { ::minoan_rewrite::Root::of::<#root>() }
            #benefit
            fn generated(&self) -> &[&'static str] {
                const GENERATED: &[&str] = &[#(<#generated as ::minoan_ir::OpDef>::SPEC.name),*];
                GENERATED
            }
            #[allow(unused_variables, reason = "a pattern need not use all that is in its scope")]
            fn rewrite(
                &self,
                __op: ::minoan_ir::Op,
                rw: &mut ::minoan_rewrite::Rewriter<'_>,
            ) -> ::core::result::Result<::minoan_rewrite::Matched, ::minoan_rewrite::NoMatch> {
                let body = rw.body();
                let ctx = body.context();
                let __root = <#root as ::minoan_ir::OpDef>::from_op_unchecked(__op);
                #(let #binding = __root;)*
                #steps
                #(#guards)*
                #before
                let __value: ::minoan_ir::Value = #value;
                rw.replace(__op, &[__value]);
                ::core::result::Result::Ok(::minoan_rewrite::Matched)
            }
        }
        Declared
    }})
}

fn fail(reason: String) -> TokenStream {
    quote!(return ::core::result::Result::Err(::minoan_rewrite::NoMatch::because(#reason));)
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

fn guard(guard: &Guard) -> TokenStream {
    match guard {
        Guard::Holds(condition) => {
            let fail = fail(format!("`{}` does not hold", text(condition)));
            quote!(if !(#condition) { #fail })
        }
        Guard::Let(pattern, value) => {
            let fail = fail(format!("`let {} = {}` does not hold", text(pattern), text(value)));
            quote!(let #pattern = #value else { #fail };)
        }
    }
}

/// The generated matching code.
#[derive(Default)]
struct Matching {
    steps: TokenStream,
    known: BTreeSet<Ident>,
    /// Handles of the operations that enclose the matched subtree. In unreachable code and in graph regions an
    /// operation may use its own result; rewriting a match that contains an operation twice would not terminate.
    around: Vec<Ident>,
    count: usize,
}

impl Matching {
    fn fresh(&mut self) -> Ident {
        self.count += 1;
        format_ident!("__{}", self.count)
    }

    fn bind(&mut self, name: Option<&Ident>) -> syn::Result<()> {
        match name {
            Some(name) if !self.known.insert(name.clone()) => Err(syn::Error::new(
                name.span(),
                format!("`{name}` is bound twice; only value bindings may repeat"),
            )),
            _ => Ok(()),
        }
    }

    fn operands(&mut self, path: &Path, args: &[Tree], handle: &Ident) -> syn::Result<()> {
        let names: Vec<Ident> = args.iter().map(|_| self.fresh()).collect();
        // An array or tuple pattern, so that a wrong number of operands does not compile. Names have the macro's
        // hygiene, with the span of the operation.
        let span = Span::call_site().located_at(syn::spanned::Spanned::span(path));
        let groups = args.iter().any(|arg| matches!(arg, Tree::Values(_) | Tree::Maybe(_) | Tree::AnyNumber));
        let all = match groups {
            true => quote_spanned!(span=> (#(#names,)*)),
            false => quote_spanned!(span=> [#(#names),*]),
        };
        self.steps.extend(quote_spanned!(span=> let #all = <#path>::operand_values(#handle, body);));
        self.around.push(handle.clone());
        for (number, (arg, value)) in args.iter().zip(&names).enumerate() {
            self.tree(arg, value, number, path)?;
        }
        self.around.pop();
        Ok(())
    }

    /// Binds a name, or compares with its binding.
    fn hole(&mut self, name: &Ident, ty: TokenStream, value: &Ident, number: usize, of: &Path) {
        if self.known.insert(name.clone()) {
            self.steps.extend(quote!(let #name: #ty = #value;));
        } else {
            let fail = fail(format!("operand {number} of {} is not the other `{name}`", text(of)));
            self.steps.extend(quote!(if #name != #value { #fail }));
        }
    }

    fn tree(&mut self, tree: &Tree, value: &Ident, number: usize, of: &Path) -> syn::Result<()> {
        match tree {
            Tree::Any | Tree::AnyNumber => self.steps.extend(quote!(let _ = #value;)),
            Tree::Hole(name) => self.hole(name, quote!(::minoan_ir::Value), value, number, of),
            Tree::Values(name) => {
                self.hole(name, quote!(::std::vec::Vec<::minoan_ir::Value>), value, number, of);
            }
            Tree::Maybe(name) => {
                self.hole(name, quote!(::core::option::Option<::minoan_ir::Value>), value, number, of);
            }
            Tree::Constant(name) => {
                self.bind(Some(name))?;
                let fail = fail(format!("operand {number} of {} is not constant", text(of)));
                self.steps.extend(quote! {
                    let ::core::option::Option::Some(#name) = rw.constant_of(#value) else { #fail };
                });
            }
            Tree::Op { binding, path, args } => {
                self.bind(binding.as_ref())?;
                let handle = binding.clone().unwrap_or_else(|| self.fresh());
                let fail = fail(format!("operand {number} of {} is no {}", text(of), text(path)));
                let around = &self.around;
                self.steps.extend(quote! {
                    let ::core::option::Option::Some(#handle) = body
                        .defining_op(#value)
                        .filter(|&op| #(op != ::minoan_ir::OpDef::op(#around))&&*)
                        .and_then(|op| <#path as ::minoan_ir::OpDef>::cast(body, op))
                    else { #fail };
                });
                self.operands(path, args, &handle)?;
            }
        }
        Ok(())
    }
}

/// The generated rewriting code.
struct Building<'d> {
    known: &'d BTreeSet<Ident>,
    generated: Vec<&'d Path>,
    /// Code that is evaluated before any edit, followed by the edits, inner operations first.
    before: TokenStream,
    count: usize,
}

impl<'d> Building<'d> {
    fn build(&mut self, right: &'d Build, guards: &[Guard]) -> syn::Result<TokenStream> {
        self.constants(right);
        self.count = 0;
        self.value(right, guards)
    }

    /// Evaluates attributes first, before any edit.
    fn constants(&mut self, right: &'d Build) {
        let mut attrs = Vec::new();
        collect(right, &mut attrs);
        let names: Vec<Ident> = (0..attrs.len()).map(|number| format_ident!("__attr{number}")).collect();
        let types: Vec<Ident> = (0..attrs.len()).map(|number| format_ident!("__type{number}")).collect();
        self.before.extend(quote! {#(
            let #names: ::minoan_ir::Attr = #attrs;
            let #types = #names
                .value_type(ctx)
                .ok_or(::minoan_rewrite::NoMatch::because("a constant without a type"))?;
        )*});
    }

    fn value(&mut self, right: &'d Build, guards: &[Guard]) -> syn::Result<TokenStream> {
        match right {
            Build::Hole(name) | Build::Values(name) | Build::Maybe(name) => {
                let in_guard = guards.iter().any(|guard| matches!(guard, Guard::Let(..)));
                if !self.known.contains(name) && !in_guard {
                    return Err(syn::Error::new(name.span(), format!("`{name}` is not on the left side")));
                }
                Ok(if matches!(right, Build::Values(_)) { quote!(&#name[..]) } else { quote!(#name) })
            }
            Build::Rust(block) => Ok(quote!(#block)),
            Build::Constant(_) => {
                let (attr, ty) =
                    (format_ident!("__attr{}", self.count), format_ident!("__type{}", self.count));
                self.count += 1;
                let value = format_ident!("__constant_{attr}");
                self.before.extend(quote!(let #value = rw.constant(__op, #attr, #ty)?;));
                Ok(quote!(#value))
            }
            Build::Op { path, args, span } => {
                self.generated.push(path);
                let args = args.iter().map(|arg| self.value(arg, guards)).collect::<syn::Result<Vec<_>>>()?;
                let names: Vec<Ident> =
                    (0..args.len()).map(|number| format_ident!("__arg{number}")).collect();
                // Names have the macro's hygiene; a wrong number of arguments is reported where they are.
                let span = Span::call_site().located_at(*span);
                let call = quote_spanned!(span=> <#path>::build(&mut rw.builder(), #(#names),*));
                Ok(quote! {{
                    #(let #names = #args;)*
                    let new = #call;
                    rw.body().op(::minoan_ir::OpDef::op(new)).result(0)
                }})
            }
        }
    }
}

fn collect<'d>(right: &'d Build, attrs: &mut Vec<&'d Expr>) {
    match right {
        Build::Constant(attr) => attrs.push(attr),
        Build::Op { args, .. } => args.iter().for_each(|arg| collect(arg, attrs)),
        Build::Hole(_) | Build::Values(_) | Build::Maybe(_) | Build::Rust(_) => {}
    }
}
