//! Declarations of data types.
//!
//! The instances of a data type of the source are printed as that type with type arguments, `List[int32]`, if its declaration
//! describes them. After a pass has changed the fields of an instance it does not, and the instance is a type without
//! parameters, whose constructors have names of their own.

use super::{Names, Writer};
use minoan_data as data;
use minoan_ir::{Attr, Block, Body, Context, OpRef};
use minoan_relay_dialect as relay;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The names of a data type and of its constructors, by position.
pub(super) struct DataNames {
    /// With its type arguments.
    pub(super) name: String,
    pub(super) ctors: Vec<String>,
    /// The declaration of the source, if this is an instance of it.
    generic: Option<Generic>,
}

/// A data type of the source with type parameters.
#[derive(Clone, PartialEq)]
struct Generic {
    name: String,
    params: Vec<String>,
    /// The types of the fields of each constructor.
    fields: Vec<Vec<String>>,
}

/// An instance of a data type, and its type arguments.
struct Instance {
    generic: Generic,
    args: Vec<String>,
}

/// The name of a constructor, made distinct from keywords: a constructor of a closure has the name of its function, such as `fn`.
fn unreserved(name: &str) -> String {
    if crate::KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

/// The name of a data type: the symbol of an instance is its name with type arguments.
fn base(symbol: &str) -> &str {
    symbol.split('[').next().unwrap_or_default()
}

fn strings(ctx: &Context, attr: Attr) -> Option<Vec<String>> {
    attr.as_array(ctx)?.iter().map(|text| Some(text.as_str(ctx)?.to_owned())).collect()
}

/// The instance that a declaration of the source became.
fn instance_of(op: OpRef<'_>) -> Option<Instance> {
    let ctx = op.context();
    let params = strings(ctx, op.attr_named("relay.type_params")?)?;
    let args = strings(ctx, op.attr_named("relay.type_args")?)?;
    let fields = op.attr_named("relay.type_fields")?.as_array(ctx)?;
    let fields = fields.iter().map(|&fields| strings(ctx, fields)).collect::<Option<Vec<_>>>()?;
    // Types of many parts have an abbreviated text.
    let all = params.iter().chain(&args).chain(fields.iter().flatten());
    let is_whole = params.len() == args.len() && !all.clone().any(|text| text.contains("..."));
    let name = base(op.symbol_name()?).to_owned();
    is_whole.then_some(Instance { generic: Generic { name, params, fields }, args })
}

/// The words of a type, and the text between them.
fn words(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '/';
    let mut rest = text;
    std::iter::from_fn(move || {
        let word = rest.starts_with(is_word);
        let end = rest.find(|c| is_word(c) != word).unwrap_or(rest.len());
        let (found, tail) = rest.split_at(end);
        rest = tail;
        (!found.is_empty()).then_some((word, found))
    })
}

impl Instance {
    fn name(&self) -> String {
        format!("{}[{}]", self.generic.name, self.args.join(", "))
    }

    /// The text of a type of the declaration in this instance.
    fn substituted(&self, text: &str) -> String {
        let arg = |word: &str| self.generic.params.iter().position(|param| param == word);
        let arg = |(is_word, text): (bool, &str)| match arg(text).filter(|_| is_word) {
            Some(at) => self.args[at].clone(),
            None => text.to_owned(),
        };
        words(text).map(arg).collect()
    }
}

impl Writer<'_> {
    /// Chooses the names of the data types that a block declares.
    pub(super) fn name_types(&mut self, body: &Body, block: Block) {
        let declared: Vec<OpRef<'_>> = body.block(block).ops().map(|op| body.op(op)).collect();
        let declared = declared.into_iter().filter(|op| op.is::<data::Declaration>());
        let declared: Vec<OpRef<'_>> = declared.filter(|op| op.symbol_name().is_some()).collect();
        let mut instances: Vec<Option<Instance>> = declared.iter().map(|&op| instance_of(op)).collect();
        // An instance that its declaration does not describe has a name of its own, which others may contain.
        for _ in 0..2 {
            self.choose_names(&declared, &instances);
            let wrong = self.undescribed(&declared, &instances);
            if wrong.is_empty() {
                return;
            }
            for at in wrong {
                instances[at] = None;
            }
        }
        let none: Vec<Option<Instance>> = declared.iter().map(|_| None).collect();
        self.choose_names(&declared, &none);
    }

    fn choose_names(&mut self, declared: &[OpRef<'_>], instances: &[Option<Instance>]) {
        self.datas.clear();
        let (mut types, mut ctors) = (Names::default(), Names::default());
        let mut generics: FxHashMap<&str, &Generic> = FxHashMap::default();
        let mut names = FxHashSet::default();
        for (op, instance) in declared.iter().zip(instances) {
            let Some(instance) = instance else { continue };
            let own: Vec<String> = data::Declaration::ctors_of(*op)
                .unwrap_or_default()
                .into_iter()
                .map(|ctor| ctor.name)
                .collect();
            let is_first = !generics.contains_key(instance.generic.name.as_str());
            let generic = generics.entry(&instance.generic.name).or_insert(&instance.generic);
            if *generic != &instance.generic || !names.insert(instance.name()) {
                continue;
            }
            if is_first {
                types.unique(&instance.generic.name);
                own.iter().for_each(|name| _ = ctors.unique(name));
            }
            let generic = Some(instance.generic.clone());
            let found = DataNames { name: instance.name(), ctors: own, generic };
            self.datas.insert(op.symbol_name().unwrap_or_default().to_owned(), found);
        }
        for &op in declared {
            let symbol = op.symbol_name().unwrap_or_default();
            if !self.datas.contains_key(symbol) {
                let own = data::Declaration::ctors_of(op).unwrap_or_default();
                let own = own.iter().map(|ctor| ctors.unique(&unreserved(&ctor.name))).collect();
                let found = DataNames { name: types.unique(base(symbol)), ctors: own, generic: None };
                self.datas.insert(symbol.to_owned(), found);
            }
        }
    }

    /// The instances that their declarations do not describe, or that have type arguments that the text does not declare.
    fn undescribed(&self, declared: &[OpRef<'_>], instances: &[Option<Instance>]) -> Vec<usize> {
        let known: FxHashSet<&str> = self.datas.values().map(|names| base(&names.name)).collect();
        let is_known = |(is_word, word): (bool, &str)| {
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            !is_word
                || is_number
                || matches!(word, "Tensor" | "fn" | "ref")
                || relay::DType::parse(word).is_some()
                || known.contains(word)
        };
        let describes = |op: OpRef<'_>, instance: &Instance| {
            let ctors = data::Declaration::ctors_of(op).unwrap_or_default();
            let same = |(ctor, texts): (&data::Ctor, &Vec<String>)| {
                let fields: Option<Vec<String>> = ctor.fields.iter().map(|&ty| self.type_text(ty)).collect();
                fields.is_some_and(|fields| {
                    fields.iter().eq(&texts.iter().map(|text| instance.substituted(text)).collect::<Vec<_>>())
                })
            };
            ctors.len() == instance.generic.fields.len()
                && ctors.iter().zip(&instance.generic.fields).all(same)
                && instance.args.iter().flat_map(|arg| words(arg)).all(is_known)
                && !ctors.iter().any(|ctor| crate::KEYWORDS.contains(&ctor.name.as_str()))
        };
        let wrong = |&at: &usize| instances[at].as_ref().is_some_and(|it| !describes(declared[at], it));
        (0..declared.len()).filter(wrong).collect()
    }

    /// Prints the declarations of data types: one for all instances of a declaration of the source.
    pub(super) fn declarations(&mut self, declared: &[OpRef<'_>]) {
        let mut printed: FxHashSet<String> = FxHashSet::default();
        for &op in declared {
            let symbol = op.symbol_name().unwrap_or_default();
            let Some(DataNames { name, ctors, generic }) = self.datas.get(symbol) else { continue };
            let (ctors, generic) = (ctors.clone(), generic.clone());
            let (name, fields) = match generic {
                Some(generic) if !printed.insert(generic.name.clone()) => continue,
                Some(generic) => (format!("{}[{}]", generic.name, generic.params.join(", ")), generic.fields),
                None => {
                    let name = name.clone();
                    let types = data::Declaration::ctors_of(op).unwrap_or_default();
                    let texts = |ctor: data::Ctor| ctor.fields.iter().map(|&ty| self.ty(op, ty)).collect();
                    (name, types.into_iter().map(texts).collect())
                }
            };
            let part = |(name, fields): (String, Vec<String>)| match &fields[..] {
                [] => name,
                fields => format!("{name}({})", fields.join(", ")),
            };
            let parts: Vec<String> = ctors.into_iter().zip(fields).map(part).collect();
            let _ = write!(self.out, "\ntype {name} {{ {} }}\n", parts.join(", "));
        }
    }

    /// The type of a variable that is bound to a value of an instance, which its constructor does not determine.
    pub(super) fn type_of_instance(&self, op: OpRef<'_>) -> Option<&str> {
        let cell = data::Cell::cast(self.ctx, op.result_types().next().filter(|_| op.is::<data::Make>())?)?;
        let names = self.datas.get(cell.name(self.ctx).root(self.ctx).as_str(self.ctx))?;
        names.generic.as_ref().map(|_| names.name.as_str())
    }
}
