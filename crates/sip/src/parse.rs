//! Parses structured signatures with a visitor.

use crate::component::{Component, SignatureParser, Value};
use crate::error::{Code, Deviation, Error};
use crate::function::{Function, Judge, Mode};
use crate::path::Container;

/// A visitor of a structure: it receives the key before each value in a container, and the end of each container.
///
/// An error returned by a method ends the visit.
pub trait SipVisitor {
    /// Visits the key of the next value in a sequence.
    ///
    /// # Errors
    /// The visitor rejects the key.
    fn integer_key(&mut self, key: i32) -> Result<(), String>;

    /// Visits the key of the next value in a dictionary.
    ///
    /// # Errors
    /// The visitor rejects the key.
    fn string_key(&mut self, key: &[u8]) -> Result<(), String>;

    /// Enters a container, which contains the values up to the matching [`close_struct`](Self::close_struct).
    ///
    /// # Errors
    /// The visitor rejects the container.
    fn open_struct(&mut self, container: Container) -> Result<(), String>;

    /// Leaves a container.
    ///
    /// # Errors
    /// The visitor rejects the container.
    fn close_struct(&mut self, container: Container) -> Result<(), String>;

    /// Visits a leaf: the raw value with this index.
    ///
    /// # Errors
    /// The visitor rejects the leaf.
    fn map_to_raw(&mut self, index: i32) -> Result<(), String>;
}

/// Parses a structured signature and passes it to visitors, without building a tree.
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
    /// Locates the inputs and the results.
    ///
    /// # Errors
    /// One of them is missing, a top-level component is malformed or, in strict mode, not canonical.
    pub fn new(text: &'a [u8], mode: Mode) -> Result<Self, Error> {
        let mut judge = Judge::new(text, mode);
        let function = Function::parse(text, &mut judge)?;
        Ok(Self { text, mode, function, deviations: judge.into_deviations() })
    }

    /// Visits the inputs.
    ///
    /// # Errors
    /// The inputs are malformed or, in strict mode, not canonical, or the visitor rejects them. Earlier calls of the
    /// visitor are not undone.
    pub fn visit_inputs(&mut self, visitor: &mut impl SipVisitor) -> Result<(), Error> {
        self.visit(self.function.inputs, visitor)
    }

    /// Visits the results.
    ///
    /// # Errors
    /// The same as for [`visit_inputs`](Self::visit_inputs).
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

    /// The deviations of the text parsed so far.
    pub fn deviations(&self) -> &[Deviation] {
        &self.deviations
    }
}

/// A key that borrows from the text. Integers are smaller than strings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    Index(i32),
    Name(&'a [u8]),
}

/// An open container; the root has no kind.
struct Level<'a> {
    container: Option<Container>,
    components: SignatureParser<'a>,
    /// The key whose value is expected.
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
            // Equal neighbors have been reported already.
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

/// Parses the contents of a span and passes them to a visitor.
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

/// Checks that the raw indices are a permutation of 0 to their number.
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
