//! The records that a store keeps and the use cases speak of. Plain data: no SQL, no HTTP. Times are UTC with microseconds.

mod build;
mod business;
mod event;
mod hold;
mod id;
mod idempotency;
mod ledger;
mod migration;
mod portal;
mod push;
mod release;
mod subscription;
mod usage;

pub use build::{Build, BuildResult, Progress, StoredFailure};
pub use business::{AuditEntry, Business, Right, Token, TokenScope};
pub use event::{DeliveryState, Event, EventDelivery, EventReceiver, EventSent, EventType};
pub use hold::{Hold, HoldState};
pub use id::Id;
pub use idempotency::IdempotentAnswer;
pub use ledger::{Entry, StoredAdjustment};
pub use migration::{Migration, MigrationPolicy, Proration, Transition, TransitionState};
pub use portal::{PortalLook, PortalSession};
pub use push::{Delivery, DeliveryOutcome, ForgeKind, Push, PushOutcome, PushState, ReportState, Source, StatusReport};
pub use release::{Projection, Release, ReleaseEntry, StoredProjection};
pub use subscription::{StoredInvoice, StoredPeriod, Subscription, SubscriptionKey};
pub use usage::{Charge, EntryKind, StoredWindow, UsageItemRecord};
