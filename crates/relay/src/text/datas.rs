//! Declarations of data types.
//!
//! The instances of a data type of the source are printed as that type with type arguments, `List[int32]`, if the attribute
//! `relay.instance` describes them. After a pass has changed the fields of an instance it does not, and the instance is a type
//! without parameters, whose constructors have names of their own.

use super::{Names, Writer};
use minoan_data as data;
use minoan_ir::{Block, Body, Context, Name, OpRef, Type};
use minoan_relay_dialect as relay;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The names of a data type and of its constructors, by position.
pub(super) struct DataNames {
    /// With its type arguments.
    pub(super) name: String,
    pub(super) ctors: Vec<String>,
    /// The data type of the source, if its text has type parameters.
    generic: Option<relay::Instance>,
}

/// The name of a constructor, made distinct from keywords: a constructor of a closure has the name of its function, such as `fn`.
fn unreserved(name: &str) -> String {
    if crate::KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

/// The name of a data type without a source: the symbol of an instance is its name with type arguments.
fn base(symbol: &str) -> &str {
    symbol.split('[').next().unwrap_or_default()
}

/// The declarations of a module that are printed as data types of the source.
struct Instances<'c> {
    ctx: &'c Context,
    /// The symbols and constructors of all declarations.
    declared: Vec<(Name, Vec<data::Ctor>)>,
    /// The data types of the source, by the positions of the declarations.
    sources: Vec<Option<relay::Instance>>,
}

impl<'c> Instances<'c> {
    fn of(ctx: &'c Context, declared: &[OpRef<'_>]) -> Self {
        let parts = |op: &OpRef<'_>| {
            let symbol = ctx.name(op.symbol_name().unwrap_or_default());
            (symbol, data::Declaration::ctors_of(*op).unwrap_or_default())
        };
        let sources = declared.iter().map(|&op| relay::Instance::of(op)).collect();
        let mut instances = Self { ctx, declared: declared.iter().map(parts).collect(), sources };
        instances.remove_ambiguous();
        instances.remove_changed();
        instances
    }

    /// Removes ambiguous instances: those of a second data type with the same name or with a constructor of the same name, and
    /// those with the type arguments of another instance.
    fn remove_ambiguous(&mut self) {
        let ctx = self.ctx;
        let mut generics = FxHashMap::default();
        let (mut ctors, mut calls) = (FxHashSet::default(), FxHashSet::default());
        for ((_, own), source) in self.declared.iter().zip(&mut self.sources) {
            let Some(instance) = *source else { continue };
            let names: Vec<&str> = own.iter().map(|ctor| ctor.name.as_str()).collect();
            let generic = (instance.params(ctx), instance.fields(ctx), names.clone());
            let is_free = !names.iter().any(|name| crate::KEYWORDS.contains(name) || ctors.contains(name));
            let is_instance = match generics.get(instance.name(ctx)) {
                Some(known) => *known == generic,
                None if is_free => {
                    ctors.extend(names);
                    generics.insert(instance.name(ctx), generic);
                    true
                }
                None => false,
            };
            if !is_instance || !calls.insert(instance.call(ctx)) {
                *source = None;
            }
        }
    }

    /// Removes instances whose fields have other types than in the source, and those that refer to a removed one.
    fn remove_changed(&mut self) {
        let ctx = self.ctx;
        let symbols = self.declared.iter().map(|(symbol, _)| *symbol);
        let calls: FxHashMap<Name, Type> =
            symbols.zip(&self.sources).filter_map(|(name, it)| Some((name, (*it)?.call(ctx)))).collect();
        let mut sources = relay::SourceTypes::new(ctx, calls);
        // The instances that refer to a declaration or to a data type of the source.
        let mut by_cell: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        let mut by_call: FxHashMap<(&str, usize), Vec<usize>> = FxHashMap::default();
        let mut counts: FxHashMap<(&str, usize), usize> = FxHashMap::default();
        let key = |instance: relay::Instance| (instance.name(ctx), instance.params(ctx).len());
        for &instance in self.sources.iter().flatten() {
            *counts.entry(key(instance)).or_default() += 1;
        }
        let mut removed = Vec::new();
        for (at, (_, ctors)) in self.declared.iter().enumerate() {
            let Some(instance) = self.sources[at].filter(|instance| !instance.params(ctx).is_empty()) else {
                continue;
            };
            let mut parts = relay::TypeParts::default();
            instance.args(ctx).into_iter().for_each(|arg| parts.add(ctx, arg));
            let mut is_known = parts.cells.is_empty();
            for call in &parts.calls {
                let key = (call.name(ctx), call.args(ctx).len());
                is_known &= counts.contains_key(&key);
                by_call.entry(key).or_default().push(at);
            }
            ctors.iter().flat_map(|ctor| &ctor.fields).for_each(|&field| parts.add(ctx, field));
            parts.cells.iter().for_each(|&cell| by_cell.entry(cell).or_default().push(at));
            let mut source_types = |ctor: &data::Ctor| ctor.fields.iter().map(|&ty| sources.of(ty)).collect();
            let own: Vec<Vec<Type>> = ctors.iter().map(&mut source_types).collect();
            if !is_known || own != instance.substituted_fields(ctx) {
                removed.push(at);
            }
        }
        while let Some(at) = removed.pop() {
            let Some(instance) = self.sources[at].take() else { continue };
            removed.extend(by_cell.remove(&self.declared[at].0).unwrap_or_default());
            let count = counts.entry(key(instance)).or_default();
            *count -= 1;
            if *count == 0 {
                removed.extend(by_call.remove(&key(instance)).unwrap_or_default());
            }
        }
    }
}

impl Writer<'_> {
    /// Chooses the names of the data types that a block declares.
    pub(super) fn name_types(&mut self, body: &Body, block: Block) {
        let ctx = self.ctx;
        let declared = body.block(block).ops().map(|op| body.op(op));
        let declared = declared.filter(|op| op.is::<data::Declaration>() && op.symbol_name().is_some());
        let Instances { declared, sources, .. } = Instances::of(ctx, &declared.collect::<Vec<_>>());
        let (mut types, mut ctors) = (Names::default(), Names::default());
        // The data types of the source keep their names.
        let mut known = FxHashSet::default();
        for ((_, own), instance) in declared.iter().zip(&sources) {
            let Some(instance) = instance.filter(|instance| known.insert(instance.name(ctx))) else {
                continue;
            };
            types.unique(instance.name(ctx));
            own.iter().for_each(|ctor| _ = ctors.unique(&ctor.name));
        }
        for ((symbol, own), instance) in declared.into_iter().zip(sources) {
            let symbol = symbol.as_str(ctx);
            let names = match instance {
                Some(instance) => {
                    let name = self.type_text(instance.call(ctx)).unwrap_or_default();
                    let generic = (!instance.params(ctx).is_empty()).then_some(instance);
                    DataNames { name, ctors: own.into_iter().map(|ctor| ctor.name).collect(), generic }
                }
                None => {
                    let own = own.iter().map(|ctor| ctors.unique(&unreserved(&ctor.name))).collect();
                    DataNames { name: types.unique(base(symbol)), ctors: own, generic: None }
                }
            };
            self.datas.insert(symbol.to_owned(), names);
        }
    }

    /// Prints the declarations of data types: one for all instances of a declaration of the source.
    pub(super) fn declarations(&mut self, declared: &[OpRef<'_>]) {
        let ctx = self.ctx;
        let mut printed: FxHashSet<&str> = FxHashSet::default();
        for &op in declared {
            let symbol = op.symbol_name().unwrap_or_default();
            let Some(DataNames { name, ctors, generic }) = self.datas.get(symbol) else { continue };
            let (name, ctors, generic) = (name.clone(), ctors.clone(), *generic);
            let (name, types) = match generic {
                Some(generic) if !printed.insert(generic.name(ctx)) => continue,
                Some(generic) => {
                    let name = format!("{}[{}]", generic.name(ctx), generic.params(ctx).join(", "));
                    (name, generic.field_types(ctx))
                }
                None => {
                    let types = data::Declaration::ctors_of(op).unwrap_or_default();
                    (name, types.into_iter().map(|ctor| ctor.fields).collect())
                }
            };
            let part = |(name, fields): (String, Vec<Type>)| {
                let fields: Vec<String> = fields.into_iter().map(|ty| self.ty(op, ty)).collect();
                if fields.is_empty() { name } else { format!("{name}({})", fields.join(", ")) }
            };
            let parts: Vec<String> = ctors.into_iter().zip(types).map(part).collect();
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
