//! Structured signatures, shown to a visitor.

use crate::component::{Component, SignatureParser, Value};
use crate::error::{Code, Deviation, Error};
use crate::function::{Function, Judge, Mode};
use crate::path::Container;

/// Is shown a structure: before each value in a container its key, and after a container's values its end.
///
/// What a method returns as an error ends the visit.
pub trait SipVisitor {
    /// The key of the value that comes next in a sequence.
    ///
    /// # Errors
    /// The visitor refuses it.
    fn integer_key(&mut self, key: i32) -> Result<(), String>;

    /// The key of the value that comes next in a dictionary.
    ///
    /// # Errors
    /// The visitor refuses it.
    fn string_key(&mut self, key: &[u8]) -> Result<(), String>;

    /// The values up to the matching [`close_struct`](Self::close_struct) are inside a container.
    ///
    /// # Errors
    /// The visitor refuses it.
    fn open_struct(&mut self, container: Container) -> Result<(), String>;

    /// The end of a container.
    ///
    /// # Errors
    /// The visitor refuses it.
    fn close_struct(&mut self, container: Container) -> Result<(), String>;

    /// A leaf: the raw value with an index.
    ///
    /// # Errors
    /// The visitor refuses it.
    fn map_to_raw(&mut self, index: i32) -> Result<(), String>;
}

/// Reads a structured signature and shows it to visitors, without a tree in between.
///
/// ```
/// use minoan_sip::{Mode, SipSignatureParser, ToStringVisitor};
///
/// let mut parser = SipSignatureParser::new(b"I31!S27!k0D17!K4!bar_1K4!foo_0k1_2R12!S9!k0_0k1_1", Mode::Strict)?;
/// let mut inputs = ToStringVisitor::new();
/// parser.visit_inputs(&mut inputs)?;
/// assert_eq!(inputs.text(), "\
/// :[
///   0:{
///     bar=raw(1),
///     foo=raw(0),
///   },
///   1=raw(2),
/// ],
/// ");
/// # Ok::<(), minoan_sip::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SipSignatureParser<'a> {
    text: &'a [u8],
    mode: Mode,
    function: Function<'a>,
    deviations: Vec<Deviation>,
}

impl<'a> SipSignatureParser<'a> {
    /// Finds inputs and results.
    ///
    /// # Errors
    /// One of them is missing, a component on the outside is malformed, or, in strict mode, not canonical.
    pub fn new(text: &'a [u8], mode: Mode) -> Result<Self, Error> {
        let mut judge = Judge::new(text, mode);
        let function = Function::parse(text, &mut judge)?;
        Ok(Self { text, mode, function, deviations: judge.into_deviations() })
    }

    /// Shows the inputs.
    ///
    /// # Errors
    /// They are malformed or, in strict mode, not canonical, or the visitor refuses them. Calls made before are not
    /// undone.
    pub fn visit_inputs(&mut self, visitor: &mut impl SipVisitor) -> Result<(), Error> {
        self.visit(self.function.inputs, visitor)
    }

    /// Shows the results.
    ///
    /// # Errors
    /// As for [`visit_inputs`](Self::visit_inputs).
    pub fn visit_results(&mut self, visitor: &mut impl SipVisitor) -> Result<(), Error> {
        self.visit(self.function.results, visitor)
    }

    fn visit(&mut self, span: Component<'a>, visitor: &mut impl SipVisitor) -> Result<(), Error> {
        let mut judge = Judge::new(self.text, self.mode);
        visit(self.text, span, &mut judge, visitor)?;
        self.deviations.extend(judge.into_deviations());
        self.deviations.sort_unstable();
        self.deviations.dedup();
        Ok(())
    }

    /// What is not canonical in what was read so far.
    pub fn deviations(&self) -> &[Deviation] {
        &self.deviations
    }
}

/// A key as the text has it. Integers come before strings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    Index(i32),
    Name(&'a [u8]),
}

/// A container that is being read; the root is one without a kind.
struct Level<'a> {
    container: Option<Container>,
    components: SignatureParser<'a>,
    /// The key whose value comes next.
    pending: Option<(Key<'a>, usize)>,
    keys: Vec<(Key<'a>, usize)>,
    is_sorted: bool,
    has_value: bool,
}

impl<'a> Level<'a> {
    fn new(container: Option<Container>, span: &Component<'a>) -> Self {
        let components = span.components();
        Self { container, components, pending: None, keys: Vec::new(), is_sorted: true, has_value: false }
    }

    fn key(&mut self, key: Key<'a>, component: &Component, judge: &mut Judge) -> Result<(), Error> {
        let at = component.offset;
        if self.container.is_none() || self.pending.is_some() {
            return Err(component.error(Code::KeyNotAllowed));
        }
        let fits = match key {
            Key::Index(index) => {
                if index < 0 {
                    judge.deviation(Code::NegativeKey, at)?;
                }
                self.container == Some(Container::Sequence)
            }
            Key::Name(_) => self.container == Some(Container::Dictionary),
        };
        if !fits {
            judge.deviation(Code::WrongKeyKind, at)?;
        }
        match self.keys.last() {
            Some((last, _)) if *last == key => judge.deviation(Code::DuplicateKey, at)?,
            Some((last, _)) if *last > key => {
                judge.deviation(Code::UnsortedKey, at)?;
                self.is_sorted = false;
            }
            _ => {}
        }
        self.keys.push((key, at));
        self.pending = Some((key, at));
        Ok(())
    }

    fn value(
        &mut self,
        component: &Component,
        judge: &mut Judge,
        visitor: &mut impl SipVisitor,
    ) -> Result<(), Error> {
        if self.container.is_none() {
            if self.has_value {
                judge.deviation(Code::SeveralRoots, component.offset)?;
            }
            self.has_value = true;
            return Ok(());
        }
        match self.pending.take() {
            None => return Err(component.error(Code::ValueNotAllowed)),
            Some((Key::Index(index), _)) => visitor.integer_key(index),
            Some((Key::Name(name), _)) => visitor.string_key(name),
        }
        .map_err(|said| component.error(Code::Refused).with_detail(said))
    }

    fn close(mut self, judge: &mut Judge) -> Result<(), Error> {
        if let Some((_, at)) = self.pending {
            judge.deviation(Code::KeyWithoutValue, at)?;
        }
        if !self.is_sorted {
            // Neighbours that are equal in the text were reported there.
            let order: Vec<usize> = (0..self.keys.len()).collect();
            let mut order: Vec<(usize, (Key, usize))> = order.into_iter().zip(self.keys.drain(..)).collect();
            order.sort_unstable_by_key(|&(place, (key, _))| (key, place));
            for pair in order.windows(2) {
                let [(before, (a, _)), (place, (b, at))] = [pair[0], pair[1]];
                if a == b && before + 1 != place {
                    judge.deviation(Code::DuplicateKey, at)?;
                }
            }
        }
        Ok(())
    }
}

/// Shows what a span says to a visitor.
pub(crate) fn visit<'a>(
    text: &'a [u8],
    span: Component<'a>,
    judge: &mut Judge<'a>,
    visitor: &mut impl SipVisitor,
) -> Result<(), Error> {
    let refused = |at: usize| move |said: String| Error::new(Code::Refused, text, at).with_detail(said);
    let mut indices: Vec<(i32, usize)> = Vec::new();
    let mut levels = vec![Level::new(None, &span)];
    while let Some(level) = levels.last_mut() {
        let Some(component) = level.components.next() else {
            if let Some(level) = levels.pop() {
                let container = level.container;
                let end = level.components.offset();
                level.close(judge)?;
                if let Some(container) = container {
                    visitor.close_struct(container).map_err(refused(end))?;
                }
            }
            continue;
        };
        let component = component?;
        let at = component.offset;
        judge.digits(&component)?;
        match (component.tag, component.value) {
            (b'k', Value::Integer(index)) => level.key(Key::Index(index), &component, judge)?,
            (b'K', Value::Span(name)) => level.key(Key::Name(name), &component, judge)?,
            (b'_', Value::Integer(index)) => {
                level.value(&component, judge, visitor)?;
                indices.push((index, at));
                visitor.map_to_raw(index).map_err(refused(at))?;
            }
            (b'S' | b'D', Value::Span(_)) => {
                level.value(&component, judge, visitor)?;
                let container =
                    if component.tag == b'S' { Container::Sequence } else { Container::Dictionary };
                visitor.open_struct(container).map_err(refused(at))?;
                levels.push(Level::new(Some(container), &component));
            }
            _ => return Err(component.error(Code::UnexpectedTag)),
        }
    }
    check_indices(&indices, judge)
}

/// Whether raw indices are 0 to their number, each once.
fn check_indices(indices: &[(i32, usize)], judge: &mut Judge) -> Result<(), Error> {
    let mut seen = vec![false; indices.len()];
    for &(index, at) in indices {
        match usize::try_from(index).ok().map(|index| seen.get_mut(index)) {
            None => judge.deviation(Code::NegativeIndex, at)?,
            Some(None) => judge.deviation(Code::SparseIndex, at)?,
            Some(Some(true)) => judge.deviation(Code::DuplicateIndex, at)?,
            Some(Some(place)) => *place = true,
        }
    }
    Ok(())
}
