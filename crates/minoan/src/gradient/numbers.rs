//! Access to the floats in values. A complex number has two, its real and its imaginary part.

use minoan_frontend::with_stack;
use minoan_services::Datum;
use minoan_services::{Object, Tensor, TensorData};
use std::rc::Rc;

/// The numbers of a value, if they are floats; those in an object, in the order of its fields.
pub fn floats(value: &Datum) -> Option<Vec<f64>> {
    let mut found = Vec::new();
    visit(value, &mut |number, _| found.push(number)).then_some(found)
}

/// Calls `f` with each float of a value, and whether it is an imaginary part. Returns `false` if the value has none by its kind.
fn visit(value: &Datum, f: &mut dyn FnMut(f64, bool)) -> bool {
    let mut parts = |[re, im]: [f64; 2]| {
        f(re, false);
        f(im, true);
    };
    match value {
        Datum::F32(number) => f(f64::from(*number), false),
        Datum::F64(number) => f(*number, false),
        Datum::Complex32(number) => parts(number.map(f64::from)),
        Datum::Complex64(number) => parts(*number),
        Datum::Tensor(tensor) => match &tensor.data {
            TensorData::F32(data) => data.iter().for_each(|&number| f(f64::from(number), false)),
            TensorData::F64(data) => data.iter().for_each(|&number| f(number, false)),
            TensorData::Complex32(data) => data.iter().for_each(|number| parts(number.map(f64::from))),
            TensorData::Complex64(data) => data.iter().for_each(|&number| parts(number)),
            _ => return false,
        },
        Datum::Object(object) => {
            let mut pending = object.slots().unwrap_or_default();
            pending.reverse();
            while let Some(value) = pending.pop() {
                match &value {
                    Datum::Object(object) => {
                        pending.extend(object.slots().unwrap_or_default().into_iter().rev());
                    }
                    leaf => _ = visit(leaf, f),
                }
            }
        }
        _ => return false,
    }
    true
}

/// A copy of a value in which each float is replaced by `number` of its position.
pub fn filled(like: &Datum, number: &dyn Fn(usize) -> f64) -> Datum {
    filled_from(like, &mut 0, number)
}

/// Like [`filled`], with positions from `next` on, which is advanced past the floats of the value.
fn filled_from(like: &Datum, next: &mut usize, number: &dyn Fn(usize) -> f64) -> Datum {
    let mut take = || {
        *next += 1;
        number(*next - 1)
    };
    match like {
        Datum::F32(_) => Datum::F32(take() as f32),
        Datum::F64(_) => Datum::F64(take()),
        Datum::Complex32(_) => Datum::Complex32([take() as f32, take() as f32]),
        Datum::Complex64(_) => Datum::Complex64([take(), take()]),
        Datum::Tensor(tensor) => {
            let all = 0..tensor.data.len();
            let data = match &tensor.data {
                TensorData::F32(_) => TensorData::F32(all.map(|_| take() as f32).collect()),
                TensorData::F64(_) => TensorData::F64(all.map(|_| take()).collect()),
                TensorData::Complex32(_) => {
                    TensorData::Complex32(all.map(|_| [take() as f32, take() as f32]).collect())
                }
                TensorData::Complex64(_) => TensorData::Complex64(all.map(|_| [take(), take()]).collect()),
                _ => return like.clone(),
            };
            Datum::Tensor(Rc::new(Tensor { shape: tensor.shape.clone(), data }))
        }
        Datum::Object(object) => with_slots(object, |slot| filled_from(slot, next, number)),
        _ => like.clone(),
    }
}

/// A tangent of a value: each float is `number` of its position, and the integers in objects are zero.
pub(super) fn tangent_of(value: &Datum, number: &dyn Fn(usize) -> f64) -> Datum {
    match filled(value, number) {
        Datum::Object(object) => with_slots(&object, without_integers),
        other => other,
    }
}

fn without_integers(value: &Datum) -> Datum {
    match value {
        Datum::Int(_) => Datum::Int(0),
        Datum::Tensor(tensor) => match &tensor.data {
            TensorData::Int(data) => {
                let data = TensorData::Int(vec![0; data.len()]);
                Datum::Tensor(Rc::new(Tensor { shape: tensor.shape.clone(), data }))
            }
            _ => value.clone(),
        },
        Datum::Object(object) => with_slots(object, without_integers),
        _ => value.clone(),
    }
}

/// An object with each of its values replaced.
fn with_slots(object: &Object, mut replace: impl FnMut(&Datum) -> Datum) -> Datum {
    let slots = object.slots().unwrap_or_default();
    let slots = slots.iter().map(|slot| with_stack(|| replace(slot))).collect();
    Datum::Object(Object::new(object.kind().clone(), slots))
}

/// Replaces a number of a value, in place if the value is not shared.
pub(super) fn set(value: &mut Datum, index: usize, number: f64) {
    match value {
        Datum::F32(own) => *own = number as f32,
        Datum::F64(own) => *own = number,
        Datum::Complex32(parts) => parts[index] = number as f32,
        Datum::Complex64(parts) => parts[index] = number,
        Datum::Tensor(tensor) => match &mut Rc::make_mut(tensor).data {
            TensorData::F32(data) => data[index] = number as f32,
            TensorData::F64(data) => data[index] = number,
            TensorData::Complex32(data) => data.as_flattened_mut()[index] = number as f32,
            TensorData::Complex64(data) => data.as_flattened_mut()[index] = number,
            _ => {}
        },
        Datum::Object(_) => {
            let numbers = floats(value).unwrap_or_default();
            *value = filled(value, &|at| if at == index { number } else { numbers[at] });
        }
        _ => {}
    }
}

/// The sum of all floats in a list of values, and of the real parts of complex numbers.
pub fn total(values: &[Datum]) -> f64 {
    let mut sum = 0.0;
    for value in values {
        visit(value, &mut |number, is_imaginary| sum += if is_imaginary { 0.0 } else { number });
    }
    sum
}

/// The sum of the magnitudes of all floats in a list of values.
pub(super) fn magnitude(values: &[Datum]) -> f64 {
    values.iter().filter_map(floats).flatten().map(f64::abs).sum()
}
