//! Requests of a moment that cost alike are charged together: one usage item that stands for many. Each is written down by itself before, and
//! the item that stands for them beside them before it is sent, so that whoever finds both sends the same item again and no other.

use crate::job::Job;
use crate::limits::SETTLE_TOGETHER_MS;
use crate::outcome::Charge;
use std::collections::{BTreeMap, HashMap};
use svc_engine::money::units::{UNITS_MAX, Units};
use svc_store::records::Id;

/// What requests have in common that are charged as one item.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Alike {
    business: Id,
    subject: String,
    route: String,
    status: u16,
    /// The moment, in units of [`SETTLE_TOGETHER_MS`] since 1970.
    moment: i64,
    /// Where they are written down: one file is kept or gone as a whole.
    file: Option<usize>,
}

impl Alike {
    /// Nothing for a request that is charged by itself.
    fn of(job: &Job) -> Option<Alike> {
        let charge = job.charge.as_ref().filter(|_| !job.is_waited_for() && job.requests.is_empty())?;
        let file = match job.kept.as_slice() {
            [] => None,
            [kept] => Some(kept.file()),
            _ => return None,
        };
        Some(Alike {
            business: job.business.clone(),
            subject: job.subject.clone(),
            route: job.route.clone(),
            status: charge.status,
            moment: job.at.as_millisecond().div_euclid(SETTLE_TOGETHER_MS),
            file,
        })
    }
}

/// These jobs, those together that cost alike.
pub(crate) fn together(jobs: Vec<Job>) -> Vec<Job> {
    let mut groups: Vec<Vec<Job>> = Vec::new();
    let mut places: HashMap<Alike, usize> = HashMap::new();
    for job in jobs {
        let most = usize::try_from(job.together_max).unwrap_or(usize::MAX);
        let Some(alike) = Alike::of(&job).filter(|_| most > 1) else {
            groups.push(vec![job]);
            continue;
        };
        let place = places.entry(alike).or_insert(groups.len());
        match groups.get_mut(*place).filter(|group| group.len() < most) {
            Some(group) => group.push(job),
            None => {
                *place = groups.len();
                groups.push(vec![job]);
            }
        }
    }
    groups.into_iter().flat_map(as_one).collect()
}

/// Jobs that cost alike as one. They stay apart where their sum can't be said, or the one can't be written down.
fn as_one(jobs: Vec<Job>) -> Vec<Job> {
    let Some(mut one) = sum(&jobs) else { return jobs };
    let beside = jobs.first().and_then(|first| first.kept.first()).map(|kept| kept.beside(&one));
    match beside {
        Some(Err(error)) => {
            tracing::warn!(%error, id = one.id, "requests are charged one by one: the journal can't be written to");
            return jobs;
        }
        Some(Ok(kept)) => {
            one.kept = jobs.into_iter().flat_map(|job| job.kept).chain([kept]).collect();
        }
        None => {}
    }
    vec![one]
}

/// What several jobs come to; nothing for one alone.
fn sum(jobs: &[Job]) -> Option<Job> {
    let first = jobs.first().filter(|_| jobs.len() > 1)?;
    let room = Units::from_whole(UNITS_MAX / 2).steps();
    let mut reports: BTreeMap<String, Units> = BTreeMap::new();
    for charge in jobs.iter().filter_map(|job| job.charge.as_ref()) {
        for (meter, units) in &charge.reports {
            let sum = reports.entry(meter.clone()).or_insert(Units::ZERO);
            *sum = sum.checked_add(*units).filter(|sum| sum.steps() <= room)?;
        }
    }
    Some(Job {
        business: first.business.clone(),
        subject: first.subject.clone(),
        id: first.id.clone(),
        route: first.route.clone(),
        at: jobs.iter().map(|job| job.at).min()?,
        charge: Some(Charge { status: first.charge.as_ref()?.status, reports }),
        is_held: false,
        change: None,
        expected: BTreeMap::new(),
        requests: jobs.iter().map(|job| job.id.clone()).collect(),
        together_max: first.together_max,
        kept: Vec::new(),
        done: None,
    })
}

/// What was found in journals: those that one stands for are with it, and not by themselves.
pub(crate) fn rejoined(found: Vec<Job>) -> Vec<Job> {
    let (mut ones, singles): (Vec<Job>, Vec<Job>) = found.into_iter().partition(|job| !job.requests.is_empty());
    let mut places: HashMap<String, usize> = HashMap::new();
    for (place, one) in ones.iter().enumerate() {
        places.extend(one.requests.iter().map(|id| (id.clone(), place)));
    }
    let mut alone = Vec::new();
    for job in singles {
        match places.get(&job.id).and_then(|place| ones.get_mut(*place)) {
            // Its own line is the last that is done.
            Some(one) => one.kept.splice(0..0, job.kept).for_each(drop),
            None => alone.push(job),
        }
    }
    ones.append(&mut alone);
    ones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Journal;
    use jiff::Timestamp;

    fn job(id: &str, at_ms: i64, ms: Option<u64>) -> Job {
        let reports = ms.map(|ms| ("ms".to_owned(), Units::from_whole(ms)));
        Job {
            business: Id::named("biz"),
            subject: "ada".to_owned(),
            id: id.to_owned(),
            route: "POST /v1/jobs".to_owned(),
            at: Timestamp::from_millisecond(at_ms).unwrap(),
            charge: Some(Charge { status: 201, reports: reports.into_iter().collect() }),
            is_held: false,
            change: None,
            expected: BTreeMap::new(),
            requests: Vec::new(),
            together_max: u32::MAX,
            kept: Vec::new(),
            done: None,
        }
    }

    fn ids(jobs: &[Job]) -> Vec<(&str, usize)> {
        jobs.iter().map(|job| (job.id.as_str(), job.requests.len())).collect()
    }

    #[test]
    fn those_of_a_moment_that_cost_alike_are_one_and_no_others() {
        let other_status =
            Job { charge: Some(Charge { status: 200, reports: BTreeMap::new() }), ..job("status", 5, None) };
        let jobs = vec![
            job("a", 7, Some(5)),
            job("later", 107, Some(1)),
            job("b", 3, None),
            Job { together_max: 1, ..job("most", 4, Some(1)) },
            Job { is_held: true, ..job("held", 4, Some(1)) },
            Job { subject: "bea".to_owned(), ..job("bea", 4, Some(1)) },
            Job { route: "GET /".to_owned(), ..job("route", 4, Some(1)) },
            Job { charge: None, ..job("free", 4, None) },
            other_status,
            job("c", 99, Some(8)),
        ];
        let all = together(jobs);
        assert_eq!(
            ids(&all),
            [("a", 3), ("later", 0), ("most", 0), ("held", 0), ("bea", 0), ("route", 0), ("free", 0), ("status", 0)]
        );
        let one = &all[0];
        assert_eq!(
            (one.at.as_millisecond(), &one.requests),
            (3, &vec!["a".to_owned(), "b".to_owned(), "c".to_owned()])
        );
        assert_eq!(one.charge.as_ref().unwrap().reports["ms"], Units::from_whole(13));
        assert_eq!(one.count(), 3);
    }

    #[test]
    fn what_can_not_be_summed_stays_apart() {
        let jobs = vec![job("a", 0, Some(UNITS_MAX)), job("b", 0, Some(1))];
        assert_eq!(ids(&together(jobs)), [("a", 0), ("b", 0)]);
        let two = |id: &str| Job { together_max: 2, ..job(id, 0, None) };
        assert_eq!(
            ids(&together(vec![two("a"), two("b"), two("c"), two("d"), two("e")])),
            [("a", 2), ("c", 2), ("e", 0)]
        );
    }

    #[test]
    fn whoever_finds_the_one_beside_them_sends_it_again_and_none_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path(), Timestamp::UNIX_EPOCH).unwrap();
        let kept = |mut job: Job| {
            job.kept = vec![journal.keep(&job, job.at).unwrap()];
            job
        };
        let sent = together(vec![kept(job("a", 0, Some(1))), kept(job("b", 1, None)), kept(job("alone", 200, None))]);
        assert_eq!(ids(&sent), [("a", 2), ("alone", 0)]);
        let unsent = kept(job("new", 1, None));
        let told = sent.iter().map(|job| serde_json::to_string(job).unwrap()).collect::<Vec<_>>();
        drop((sent, unsent, journal));
        let next = Journal::open(folder.path(), Timestamp::UNIX_EPOCH).unwrap();
        let found = rejoined(next.found().into_iter().filter_map(Job::found).collect());
        assert_eq!(ids(&found), [("a", 2), ("alone", 0), ("new", 0)]);
        assert_eq!(found[0].kept.len(), 3, "with the lines of both");
        let again = found.iter().take(2).map(|job| serde_json::to_string(job).unwrap()).collect::<Vec<_>>();
        assert_eq!(again, told);
        // What is found is not put together anew: some of it may have been sent.
        let found = together(found);
        assert_eq!(ids(&found), [("a", 2), ("alone", 0), ("new", 0)]);
        found.into_iter().flat_map(|job| job.kept).for_each(crate::journal::Kept::done);
        next.end();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "all of it is settled");
    }
}
