//! Events, who is told of them, and what of them is still to be sent.

use crate::error::{StoreError, StoreResult};
use crate::records::{DeliveryState, Event, EventDelivery, EventReceiver, EventSent, EventType, Id};
use crate::statement::sql;
use crate::transaction::{Connection, Tx};
use crate::value::{Row, values};
use jiff::Timestamp;
use svc_engine::manifest::ir::ClosedSet;

/// What makes the deliveries of one event, to all who are told of its type and are not stopped.
macro_rules! deliver_sql {
    ($rest:literal) => {
        concat!(
            "INSERT INTO event_deliveries (business_id, receiver_id, stream, sequence, state, attempts, due_at)
             SELECT e.business_id, r.id, e.stream, e.sequence, 'waiting', 0, e.created_at
             FROM events e JOIN event_receivers r ON r.business_id = e.business_id
             WHERE e.business_id = ?1 AND e.id = ?2 AND r.stopped IS NULL
             AND (r.types IS NULL OR ',' || r.types || ',' LIKE '%,' || e.type || ',%')",
            $rest
        )
    };
}

macro_rules! receiver_sql {
    ($rest:literal) => {
        concat!(
            "SELECT business_id, id, url, types, sealed_secret, sealed_previous, previous_until, stopped, created_at
             FROM event_receivers WHERE business_id = ?1 ",
            $rest
        )
    };
}

fn receiver(row: &mut Row) -> StoreResult<EventReceiver> {
    Ok(EventReceiver {
        business: row.get("business_id")?,
        id: row.get("id")?,
        url: row.get("url")?,
        types: row.get::<Option<String>>("types")?.map(|text| types(&text)).transpose()?,
        sealed_secret: row.get("sealed_secret")?,
        previous: row.get::<Option<Vec<u8>>>("sealed_previous")?.zip(row.get("previous_until")?),
        stopped: row.get("stopped")?,
        created_at: row.get("created_at")?,
    })
}

/// The types of a text with commas between them.
fn types(text: &str) -> StoreResult<Vec<EventType>> {
    let wrong = || StoreError::Row(format!("{text:?} are no types of events"));
    text.split(',').map(|name| EventType::named(name).ok_or_else(wrong)).collect()
}

fn event(row: &mut Row) -> StoreResult<Event> {
    Ok(Event {
        business: row.get("business_id")?,
        stream: row.get("stream")?,
        id: row.get("id")?,
        event: row.get("type")?,
        body: row.get("body")?,
        at: row.get("at")?,
        trace: row.get("trace")?,
    })
}

impl<C: Connection> Tx<C> {
    /// Writes an event as the last one of its stream, to be sent from `now` on to all who are told of its type. Whoever writes holds what
    /// the stream is of.
    pub async fn emit(&mut self, event: Event, now: Timestamp) -> StoreResult<()> {
        let Event { business, stream, id, event, body, at, trace } = event;
        let sql = sql!("INSERT INTO events (business_id, stream, sequence, id, type, body, at, created_at, trace)
                   VALUES (?1, ?2, (SELECT COALESCE(MAX(sequence), 0) + 1 FROM events WHERE business_id = ?1 AND stream = ?2),
                   ?3, ?4, ?5, ?6, ?7, ?8)");
        self.0.write(sql, values![business.clone(), stream, id.clone(), event, body, at, now, trace]).await?;
        // A receiver that is just being removed is waited for, and then not there.
        let sql = sql!(deliver_sql!(" /*pg FOR KEY SHARE OF r */"));
        self.0.write(sql, values![business, id]).await
    }

    /// Stores a receiver, or its new state.
    pub async fn put_receiver(&mut self, receiver: &EventReceiver) -> StoreResult<()> {
        let sql = sql!("INSERT INTO event_receivers (business_id, id, url, types, sealed_secret, sealed_previous, previous_until, stopped,
                   created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                   ON CONFLICT (business_id, id) DO UPDATE SET sealed_secret = excluded.sealed_secret,
                   sealed_previous = excluded.sealed_previous, previous_until = excluded.previous_until, stopped = excluded.stopped");
        let EventReceiver { business, id, url, types, sealed_secret, previous, stopped, created_at } = receiver.clone();
        let types = types.map(|types| types.into_iter().map(EventType::as_str).collect::<Vec<_>>().join(","));
        let (sealed_previous, previous_until) = previous.unzip();
        let values =
            values![business, id, url, types, sealed_secret, sealed_previous, previous_until, stopped, created_at];
        self.0.write(sql, values).await
    }

    /// A receiver, which nobody else locks until the end.
    pub async fn lock_receiver(&mut self, business: &Id, id: &Id) -> StoreResult<Option<EventReceiver>> {
        let sql = sql!(receiver_sql!("AND id = ?2 /*pg FOR NO KEY UPDATE */"));
        self.one(sql, values![business.clone(), id.clone()], receiver).await
    }

    /// The receivers of a business, oldest first.
    pub async fn receivers(&mut self, business: &Id) -> StoreResult<Vec<EventReceiver>> {
        self.all(sql!(receiver_sql!("ORDER BY id")), values![business.clone()], receiver).await
    }

    /// Takes a receiver away, with what was on its way to it. Returns whether there was one.
    pub async fn remove_receiver(&mut self, business: &Id, id: &Id) -> StoreResult<bool> {
        let sql = sql!("DELETE FROM event_receivers WHERE business_id = ?1 AND id = ?2");
        Ok(self.0.execute(sql, values![business.clone(), id.clone()]).await? > 0)
    }

    /// Takes an event that is due and that nobody sends, until `leased_until`: the one that is due longest, of those whose receiver has fewer
    /// than `most` under way and before which no earlier event of its stream waits.
    pub async fn take_event(
        &mut self,
        now: Timestamp,
        leased_until: Timestamp,
        most: u32,
    ) -> StoreResult<Option<EventDelivery>> {
        let sql = sql!("SELECT d.business_id, d.receiver_id, d.stream, d.sequence, d.attempts + 1 AS attempts FROM event_deliveries d
                   WHERE d.state = 'waiting' AND d.due_at <= ?1 AND (d.leased_until IS NULL OR d.leased_until <= ?1)
                   AND NOT EXISTS (SELECT 1 FROM event_deliveries b WHERE b.business_id = d.business_id
                        AND b.receiver_id = d.receiver_id AND b.stream = d.stream AND b.sequence < d.sequence AND b.state = 'waiting')
                   AND (SELECT COUNT(*) FROM event_deliveries r WHERE r.state = 'waiting' AND r.leased_until IS NOT NULL
                        AND r.business_id = d.business_id AND r.receiver_id = d.receiver_id AND r.leased_until > ?1) < ?2
                   AND EXISTS (SELECT 1 FROM event_receivers e WHERE e.business_id = d.business_id AND e.id = d.receiver_id
                        AND e.stopped IS NULL)
                   ORDER BY d.due_at LIMIT 1 /*pg FOR UPDATE OF d SKIP LOCKED */");
        let read = |row: &mut Row| -> StoreResult<(Id, Id, String, u64, u32)> {
            Ok((
                row.get("business_id")?,
                row.get("receiver_id")?,
                row.get("stream")?,
                row.get("sequence")?,
                row.get("attempts")?,
            ))
        };
        let found = self.one(sql, values![now, i64::from(most)], read).await?;
        let Some((business, receiver_id, stream, sequence, attempts)) = found else { return Ok(None) };
        let sql = sql!(
            "UPDATE event_deliveries SET leased_until = ?5, attempts = attempts + 1
                   WHERE business_id = ?1 AND receiver_id = ?2 AND stream = ?3 AND sequence = ?4"
        );
        let key = values![business.clone(), receiver_id.clone(), stream.clone(), sequence, leased_until];
        self.0.write(sql, key).await?;
        let sql = sql!(receiver_sql!("AND id = ?2"));
        let to = self.one(sql, values![business.clone(), receiver_id], receiver).await?;
        let sql = sql!(
            "SELECT business_id, stream, id, type, body, at, trace FROM events
                   WHERE business_id = ?1 AND stream = ?2 AND sequence = ?3"
        );
        let event = self.one(sql, values![business, stream, sequence], event).await?;
        Ok(event.zip(to).map(|(event, receiver)| EventDelivery { event, sequence, receiver, attempts }))
    }

    /// Notes how far a delivery that was taken is: delivered, given up, or due again later. Those behind it in its stream are due with it. One
    /// that was taken again meanwhile is left to who has it.
    pub async fn settle_delivery(
        &mut self,
        delivery: &EventDelivery,
        state: DeliveryState,
        due_at: Timestamp,
        problem: Option<String>,
    ) -> StoreResult<()> {
        let EventDelivery { event, sequence, receiver, attempts } = delivery;
        let key = || (event.business.clone(), receiver.id.clone(), event.stream.clone());
        let sql = sql!("UPDATE event_deliveries SET leased_until = NULL, state = ?5, due_at = ?6, problem = ?7
                   WHERE business_id = ?1 AND receiver_id = ?2 AND stream = ?3 AND sequence = ?4 AND state = 'waiting' AND attempts = ?8");
        let (business, to, stream) = key();
        let values = values![business, to, stream, *sequence, state, due_at, problem, *attempts];
        if self.0.execute(sql, values).await? == 0 {
            return Ok(());
        }
        let sql = sql!(
            "UPDATE event_deliveries SET due_at = ?5
                   WHERE business_id = ?1 AND receiver_id = ?2 AND stream = ?3 AND sequence > ?4 AND state = 'waiting'"
        );
        let (business, to, stream) = key();
        self.0.write(sql, values![business, to, stream, *sequence, due_at]).await
    }

    /// Gives up all that is on its way to a receiver.
    pub async fn give_up_deliveries(&mut self, business: &Id, receiver: &Id, problem: &str) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE event_deliveries SET leased_until = NULL, state = 'failed', problem = ?3
                   WHERE business_id = ?1 AND receiver_id = ?2 AND state = 'waiting'"
        );
        self.0.write(sql, values![business.clone(), receiver.clone(), problem.to_owned()]).await
    }

    /// Whether a business has an event of this id.
    pub async fn has_event(&mut self, business: &Id, id: &Id) -> StoreResult<bool> {
        let sql = sql!("SELECT id FROM events WHERE business_id = ?1 AND id = ?2");
        Ok(self.one(sql, values![business.clone(), id.clone()], |row| row.get::<Id>("id")).await?.is_some())
    }

    /// Has one event sent again to everyone who is told of its type, whatever became of it before; or, where none is named, those that were
    /// given up since `since`. Receivers that are stopped get nothing. Returns how many deliveries wait for it.
    pub async fn redeliver(
        &mut self,
        business: &Id,
        event: Option<&Id>,
        since: Timestamp,
        now: Timestamp,
    ) -> StoreResult<u64> {
        let Some(event) = event else {
            let sql = sql!("UPDATE event_deliveries SET state = 'waiting', attempts = 0, due_at = ?3, leased_until = NULL
                       WHERE business_id = ?1 AND state = 'failed'
                       AND EXISTS (SELECT 1 FROM events e WHERE e.business_id = event_deliveries.business_id
                           AND e.stream = event_deliveries.stream AND e.sequence = event_deliveries.sequence AND e.created_at >= ?2)
                       AND EXISTS (SELECT 1 FROM event_receivers r WHERE r.business_id = event_deliveries.business_id
                           AND r.id = event_deliveries.receiver_id AND r.stopped IS NULL)");
            return self.0.execute(sql, values![business.clone(), since, now]).await;
        };
        let sql = sql!(deliver_sql!(
            " ON CONFLICT (business_id, receiver_id, stream, sequence) DO UPDATE SET state = 'waiting', attempts = 0,
             due_at = excluded.due_at, leased_until = NULL"
        ));
        self.0.execute(sql, values![business.clone(), event.clone()]).await
    }

    /// A page of a business's events, newest first, each with whom it is told to: those before the event `before`.
    pub async fn events(&mut self, business: &Id, before: Option<&str>, limit: u32) -> StoreResult<Vec<EventSent>> {
        let read = |row: &mut Row| -> StoreResult<EventSent> {
            let (event, sequence) = (event(row)?, row.get("sequence")?);
            let receiver = row.get::<Option<Id>>("receiver_id")?.zip(row.get::<Option<DeliveryState>>("state")?);
            let attempts: Option<u32> = row.get("attempts")?;
            Ok(EventSent {
                event,
                sequence,
                receiver,
                attempts: attempts.unwrap_or_default(),
                problem: row.get("problem")?,
            })
        };
        let sql = sql!("SELECT e.business_id, e.stream, e.id, e.type, e.body, e.at, e.trace, e.sequence, d.receiver_id, d.state, d.attempts, d.problem
                   FROM (SELECT * FROM events WHERE business_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3) e
                   LEFT JOIN event_deliveries d
                   ON d.business_id = e.business_id AND d.stream = e.stream AND d.sequence = e.sequence
                   ORDER BY e.id DESC, d.receiver_id");
        // Past every id of an event, in any collation.
        let before = before.unwrap_or("evu").to_owned();
        self.all(sql, values![business.clone(), before, i64::from(limit)], read).await
    }

    /// Forgets, `most` at once, events that were written before a moment and are on their way to nobody; the last one of each stream stays,
    /// by whose place the next one is numbered, but for a build's, which is the only one of its stream. Returns how many.
    pub async fn forget_events(&mut self, before: Timestamp, most: u32) -> StoreResult<u64> {
        let sql = sql!("DELETE FROM events WHERE (business_id, stream, sequence) IN (
                       SELECT e.business_id, e.stream, e.sequence FROM events e WHERE e.created_at < ?1
                       AND (e.type = 'build.finished' OR EXISTS (SELECT 1 FROM events n WHERE n.business_id = e.business_id
                           AND n.stream = e.stream AND n.sequence > e.sequence))
                       AND NOT EXISTS (SELECT 1 FROM event_deliveries d WHERE d.business_id = e.business_id AND d.stream = e.stream
                           AND d.sequence = e.sequence AND d.state = 'waiting')
                       LIMIT ?2)");
        self.0.execute(sql, values![before, i64::from(most)]).await
    }
}
