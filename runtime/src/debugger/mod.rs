//! The parent's side of debugging: a product's worker, and a session that speaks the debugger's protocol with it.

mod debuggee;
mod positions;
mod session;
mod value;

pub use crate::lower::typed::{Typed, typed};
pub use debuggee::{Debuggee, Event};
pub use positions::Place;
pub use session::{Ask, Breakpoint, Frame, Landed, Named, Session, State, Where};
