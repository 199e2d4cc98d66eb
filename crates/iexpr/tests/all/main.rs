//! The tests of the front end and of its schedules.

mod common;
mod errors;
mod hostile;
mod random;
mod random_schedules;
mod schedules;
mod seed;
mod values;
