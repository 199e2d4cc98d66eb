//! Access to the floats in values.

use minoan_frontend::with_stack;
use minoan_services::Datum;
use minoan_services::{Object, Tensor, TensorData};
use std::rc::Rc;

/// The numbers of a value, if they are floats; those in an object, in the order of its fields.
pub fn floats(value: &Datum) -> Option<Vec<f64>> {
    match value {
        Datum::F32(number) => Some(vec![f64::from(*number)]),
        Datum::F64(number) => Some(vec![*number]),
        Datum::Tensor(tensor) => match &tensor.data {
            TensorData::F32(data) => Some(data.iter().map(|&number| f64::from(number)).collect()),
            TensorData::F64(data) => Some(data.clone()),
            _ => None,
        },
        Datum::Object(object) => {
            let (mut found, mut pending) = (Vec::new(), object.slots().unwrap_or_default());
            pending.reverse();
            while let Some(value) = pending.pop() {
                match &value {
                    Datum::Object(object) => {
                        pending.extend(object.slots().unwrap_or_default().into_iter().rev())
                    }
                    leaf => found.extend(floats(leaf).unwrap_or_default()),
                }
            }
            Some(found)
        }
        _ => None,
    }
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
        Datum::Tensor(tensor) => {
            let all = 0..tensor.data.len();
            let data = match &tensor.data {
                TensorData::F32(_) => TensorData::F32(all.map(|_| take() as f32).collect()),
                TensorData::F64(_) => TensorData::F64(all.map(|_| take()).collect()),
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
        Datum::Tensor(tensor) => match &mut Rc::make_mut(tensor).data {
            TensorData::F32(data) => data[index] = number as f32,
            TensorData::F64(data) => data[index] = number,
            _ => {}
        },
        Datum::Object(_) => {
            let numbers = floats(value).unwrap_or_default();
            *value = filled(value, &|at| if at == index { number } else { numbers[at] });
        }
        _ => {}
    }
}

/// The sum of all floats in a list of values.
pub fn total(values: &[Datum]) -> f64 {
    values.iter().filter_map(floats).flatten().sum()
}

/// The sum of the magnitudes of all floats in a list of values.
pub(super) fn magnitude(values: &[Datum]) -> f64 {
    values.iter().filter_map(floats).flatten().map(f64::abs).sum()
}
