//! Printing of operations by their format.

use super::{Anchor, Element, Format, Kind, Types};
use crate::text::{OpPrinter, RegionStyle};
use crate::{Attr, AttrData, AttrSpec, AttrSyntax, Context, Name, OpRef, Traits, Type};
use smallvec::SmallVec;

/// Whether an assembly format or a dictionary omits an attribute, since it has its default value.
pub(crate) fn is_elided_default(op: OpRef<'_>, name: Name, attr: Attr) -> bool {
    let info = op.context().info(op.kind());
    let at = info.and_then(|info| Some((info, info.inherent.iter().position(|&other| other == name)?)));
    at.is_some_and(|(info, at)| info.default_attr(op.context(), at) == Some(attr))
}

/// A declared attribute, if the operation has it.
fn declared_attr(op: OpRef<'_>, at: usize) -> Option<Attr> {
    op.attr(*op.context().info(op.kind())?.inherent.get(at)?)
}

impl Format {
    /// Prints the operation: its name, or the given part of it, and the elements.
    pub(crate) fn print(&self, printer: &mut OpPrinter<'_, '_>, name: &str, short: Option<&str>) {
        match &self.straight {
            Some(straight) if straight.applies(printer.op()) => straight.print(printer, short),
            _ => {
                printer.text(short.unwrap_or(name));
                self.sequence(printer, &self.elements);
            }
        }
    }

    fn sequence(&self, printer: &mut OpPrinter<'_, '_>, elements: &[Element]) {
        for element in elements {
            if element.space {
                printer.text(" ");
            }
            self.element(printer, &element.kind);
        }
    }

    fn element(&self, printer: &mut OpPrinter<'_, '_>, kind: &Kind) {
        let op = printer.op();
        match kind {
            Kind::Space(space) => printer.text(if *space { " " } else { "" }),
            Kind::Newline => printer.newline(),
            Kind::Literal(text, _) => printer.text(text),
            Kind::Operand(at) => printer.operands(op.operand_range(*at)),
            Kind::Attr(at) => {
                let Some(spec) = op.spec().map(|spec| &spec.attrs[*at]) else { return };
                if let Some(attr) = declared_attr(op, *at) {
                    print_attr(printer, spec, attr);
                }
            }
            Kind::Region(at) => {
                self.regions(printer, *at, op.spec().is_some_and(|spec| spec.regions[*at].variadic))
            }
            Kind::Regions => self.regions(printer, 0, true),
            Kind::Successor(at) => {
                let variadic = op.spec().is_some_and(|spec| spec.successors[*at].variadic);
                self.successors(printer, *at, variadic);
            }
            Kind::Successors => self.successors(printer, 0, true),
            Kind::Type(Types::Operand(at)) => {
                let range = op.operand_range(*at);
                printer.types_between(op.operand_types().skip(range.start).take(range.len()));
            }
            Kind::Type(Types::Result(at)) => {
                let range = op.result_range(*at);
                printer.types_between(op.result_types().skip(range.start).take(range.len()));
            }
            Kind::Type(types) => printer.types(&types_of(op, *types)),
            Kind::FunctionalType(inputs, results) => {
                printer.functional_type(&types_of(op, *inputs), &types_of(op, *results));
            }
            Kind::AttrDict | Kind::AttrDictWithKeyword if self.places_all(op) => {}
            Kind::AttrDict => printer.attr_dict(&self.placed),
            Kind::AttrDictWithKeyword => printer.attr_dict_with_keyword(&self.placed),
            Kind::Operands => printer.operands(0..op.n_operands()),
            Kind::Group { anchor, then, otherwise } => {
                let elements = if is_present(op, *anchor) { then } else { otherwise };
                for element in elements {
                    // A unit attribute is printed by the presence of its group.
                    let is_flag = |at: usize| {
                        let spec = op.spec().map(|spec| &spec.attrs[at]);
                        spec.is_some_and(|spec| matches!(spec.constraint.syntax, AttrSyntax::Unit))
                    };
                    if matches!(element.kind, Kind::Attr(at) if is_flag(at)) {
                        continue;
                    }
                    self.sequence(printer, std::slice::from_ref(element));
                }
            }
        }
    }

    /// Whether the dictionary is empty: every attribute is printed elsewhere or has its default value.
    fn places_all(&self, op: OpRef<'_>) -> bool {
        let ctx = op.context();
        let (Some(info), Some(entries)) = (ctx.info(op.kind()), op.props().as_dictionary(ctx)) else {
            return false;
        };
        let placed = |&(name, attr): &(Name, Attr)| {
            let at = info.inherent.iter().position(|&other| other == name);
            at.is_some_and(|at| self.placed_at.contains(&at) || info.default_attr(ctx, at) == Some(attr))
        };
        op.attrs() == Attr::EMPTY && entries.iter().all(placed)
    }

    fn regions(&self, printer: &mut OpPrinter<'_, '_>, from: usize, variadic: bool) {
        let op = printer.op();
        let (body, regions) = op.inside();
        let count = if variadic { regions.len() } else { regions.len().min(from + 1) };
        for (at, &region) in regions.iter().enumerate().take(count).skip(from) {
            if at > from {
                printer.text(", ");
            }
            // A terminator without operands and attributes is omitted if the parser adds it.
            let last = body.region(region).blocks().next_back().and_then(|block| body.block(block).last());
            let bare = last.is_none_or(|last| {
                let last = body.op(last);
                last.n_operands() == 0
                    && last.n_results() == 0
                    && last.props() == Attr::EMPTY
                    && last.attrs() == Attr::EMPTY
            });
            let terminator = !(bare && op.has_trait(Traits::IMPLICIT_TERMINATOR));
            printer.region(at, RegionStyle::FULL.with_terminator(terminator));
        }
    }

    fn successors(&self, printer: &mut OpPrinter<'_, '_>, from: usize, variadic: bool) {
        let op = printer.op();
        let count = if variadic { op.n_successors() } else { 1 };
        for (at, block) in op.successors().enumerate().skip(from).take(count) {
            if at > from {
                printer.text(", ");
            }
            printer.successor(block);
        }
    }
}

fn types_of(op: OpRef<'_>, types: Types) -> SmallVec<[Type; 4]> {
    match types {
        Types::Operand(at) => {
            let range = op.operand_range(at);
            op.operand_types().skip(range.start).take(range.len()).collect()
        }
        Types::Result(at) => {
            let range = op.result_range(at);
            op.result_types().skip(range.start).take(range.len()).collect()
        }
        Types::Operands => op.operand_types().collect(),
        Types::Results => op.result_types().collect(),
    }
}

fn is_present(op: OpRef<'_>, anchor: Anchor) -> bool {
    match anchor {
        Anchor::Operand(at) => !op.operand_range(at).is_empty(),
        Anchor::Result(at) => !op.result_range(at).is_empty(),
        Anchor::Attr(at) => {
            let default = op.context().info(op.kind()).and_then(|info| info.default_attr(op.context(), at));
            declared_attr(op, at).is_some_and(|attr| Some(attr) != default)
        }
        Anchor::Region(at) => {
            op.region_inside(at).is_some_and(|(body, region)| !body.region(region).is_empty())
        }
        Anchor::Successor(at) => op.n_successors() > at,
        Anchor::Operands => op.n_operands() > 0,
        Anchor::Results => op.n_results() > 0,
    }
}

fn print_attr(printer: &mut OpPrinter<'_, '_>, spec: &AttrSpec, attr: Attr) {
    let ctx: &Context = printer.ctx();
    match spec.constraint.syntax {
        AttrSyntax::Any | AttrSyntax::Type | AttrSyntax::Unit => printer.attr(attr),
        AttrSyntax::Typed(_) | AttrSyntax::SymbolRef => printer.attr_without_type(attr),
        AttrSyntax::SymbolName => match attr.data(ctx) {
            AttrData::String { bytes, .. } => printer.symbol_bytes(bytes),
            _ => printer.attr(attr),
        },
        AttrSyntax::EnumInteger(_, cases) => {
            let case = attr.as_i64(ctx).and_then(|value| cases.iter().find(|case| case.1 == value));
            match case {
                Some((word, _)) => printer.text(word),
                None => printer.attr(attr),
            }
        }
        AttrSyntax::Declared(_) => printer.stripped_attr(attr),
        AttrSyntax::DenseArray(_) => printer.bracketed_array(attr),
    }
}
