//! What the operating system lets a worker do: nothing but compute, and answer on the socket it was born with.
//!
//! The order matters: privileges and resource limits before V8 starts, file system and network before the first job, the
//! system-call filter last of all. What the kernel really enforced is reported, never assumed.

mod code;
pub(crate) mod memory;
pub(crate) mod raw;
pub(crate) mod stack;

use crate::job::Limits;
use landlock::{ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetStatus, Scope};
use rustix::process::{DumpableBehavior, Resource, Rlimit, Signal};
use seccompiler::{SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Private writable memory that a worker may have beside the guest's, in bytes: V8 itself, the lowered sources, Rust.
const OWN_DATA_BYTES: u64 = 512 << 20;
/// User and group that a worker of a root server runs as: `nobody`.
const NOBODY: u32 = 65_534;
/// What a worker writes to `/proc/self/oom_score_adj`: short of memory, the kernel ends workers before anything else.
const OOM_SCORE: &str = "1000";
/// Open files of a worker: its socket twice, and the null device.
const FILES_MAX: u64 = 8;
/// Processor time past the build's, in seconds: setting up takes some. A worker that waits for its job uses none.
const CPU_GRACE_SECONDS: u64 = 1;

/// How far the kernel went along with one means of isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Enforcement {
    /// All of it.
    Full,
    /// As much as this kernel knows.
    Partial,
    /// Not at all.
    None,
}

/// What the kernel enforces on one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Enforced {
    /// No capability, not root's user, no new privileges, no core dump of its memory, death with its parent.
    pub privileges: Enforcement,
    /// Memory, processor time, file size, files and processes.
    pub limits: Enforcement,
    /// No path and no network (landlock).
    pub landlock: Enforcement,
    /// Only the system calls on the list (seccomp).
    pub seccomp: Enforcement,
}

impl Enforced {
    /// Nothing, as in a process that has not been limited.
    pub const NONE: Enforced = Enforced {
        privileges: Enforcement::None,
        limits: Enforcement::None,
        landlock: Enforcement::None,
        seccomp: Enforcement::None,
    };

    /// Whether a stranger's code may be run: every means but landlock, which older kernels lack and whose work the
    /// system-call filter does too (no `open`, no `connect`).
    pub fn is_enough(self) -> bool {
        [self.privileges, self.limits, self.seccomp].iter().all(|means| *means == Enforcement::Full)
    }
}

/// Privileges and resource limits that copies of the process inherit; its first act.
pub(crate) fn limit(limits: &Limits) -> (Enforcement, Enforcement) {
    // Only a preference of the kernel's, and files of /proc may be absent.
    let _preference = std::fs::write("/proc/self/oom_score_adj", OOM_SCORE);
    // Before the rest: a change of user takes back the death with the parent, and lets memory be dumped again.
    let privileges = [
        drop_root(),
        rustix::thread::set_no_new_privs(true),
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable),
        die_with_parent(),
    ];
    let data = OWN_DATA_BYTES
        .saturating_add(bytes(limits.heap_max_bytes).saturating_mul(2))
        .saturating_add(bytes(limits.array_buffers_max_bytes));
    let resources = [(Resource::Core, 0), (Resource::Fsize, 0), (Resource::Nofile, FILES_MAX), (Resource::Data, data)]
        .map(|(resource, max)| set(resource, max));
    (all(&privileges), all(&resources))
}

/// Gives up root's user and every capability.
fn drop_root() -> rustix::io::Result<()> {
    use rustix::thread::{CapabilitySet, CapabilitySets, Gid, Uid};
    if rustix::process::geteuid().is_root() {
        for capability in CapabilitySet::all().iter() {
            // One that this kernel does not know can't be had either.
            let _unknown_here = rustix::thread::remove_capability_from_bounding_set(capability);
        }
        let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
        // A container's root may have no other user to become. Without capabilities it is nobody much, too.
        let _no_other_user = rustix::thread::set_thread_groups(&[])
            .and_then(|()| rustix::thread::set_thread_res_gid(group, group, group))
            .and_then(|()| rustix::thread::set_thread_res_uid(user, user, user));
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets)
}

fn set(resource: Resource, max: u64) -> rustix::io::Result<()> {
    rustix::process::setrlimit(resource, Rlimit { current: Some(max), maximum: Some(max) })
}

fn die_with_parent() -> rustix::io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
}

/// What each process must be told for itself: to end with its parent, how much processor time it has, and to start no other. After
/// it has started all the threads it needs.
pub(crate) fn limit_process(limits: &Limits) -> Enforcement {
    // The first kills with a signal that has a name, the second with one that has none.
    let soft = limits.cpu_ms.div_ceil(1_000).saturating_add(CPU_GRACE_SECONDS);
    let cpu = Rlimit { current: Some(soft), maximum: Some(soft.saturating_add(CPU_GRACE_SECONDS)) };
    // The kernel does not hold root to the number of its processes; the system-call filter does.
    let _best_effort_for_root = set(Resource::Nproc, 0);
    all(&[die_with_parent(), rustix::process::setrlimit(Resource::Cpu, cpu)])
}

fn bytes(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn all<E>(results: &[Result<(), E>]) -> Enforcement {
    if results.iter().all(Result::is_ok) {
        Enforcement::Full
    } else if results.iter().any(Result::is_ok) {
        Enforcement::Partial
    } else {
        Enforcement::None
    }
}

/// No path, no network, no signal to others; for this process and its copies.
pub(crate) fn close_world() -> Enforcement {
    let newest = ABI::V6;
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(newest))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(newest)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(newest)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self);
    match ruleset.map(|status| status.ruleset) {
        Ok(RulesetStatus::FullyEnforced) => Enforcement::Full,
        Ok(RulesetStatus::PartiallyEnforced) => Enforcement::Partial,
        Ok(RulesetStatus::NotEnforced) | Err(_) => Enforcement::None,
    }
}

/// System calls that a worker makes after it is ready; every other one but the few below kills it.
const CALLS: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_close,
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// System calls that fail with "no permission" instead of killing. Libraries under V8 make them at odd moments and do without:
/// they look for the number of processors and for the thread's priority when two threads meet at a lock, and name the memory they map.
const REFUSED_CALLS: &[i64] = &[
    libc::SYS_openat,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_prctl,
    libc::SYS_prlimit64,
];

/// What V8 and the allocators tell the kernel of their memory. Any other advice is refused: some reach other processes' pages.
const ADVICE: &[libc::c_int] =
    &[libc::MADV_NORMAL, libc::MADV_DONTNEED, libc::MADV_FREE, libc::MADV_DONTFORK, libc::MADV_DOFORK];

/// Filters the system calls of every thread of the process.
pub(crate) fn filter_calls() -> Enforcement {
    let apply = |program: Option<seccompiler::BpfProgram>| {
        program.and_then(|program| seccompiler::apply_filter_all_threads(&program).ok()).is_some()
    };
    if apply(refusing_filter()) && apply(killing_filter()) { Enforcement::Full } else { Enforcement::None }
}

/// Refuses [`REFUSED_CALLS`] and says nothing of others. Of two filters' verdicts the kernel takes the harder one. The one use
/// of prctl that installing the second filter makes stays open.
fn refusing_filter() -> Option<seccompiler::BpfProgram> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = REFUSED_CALLS.iter().map(|call| (*call, Vec::new())).collect();
    let no_new_privs = u64::try_from(libc::PR_SET_NO_NEW_PRIVS).ok()?;
    let other_use = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, no_new_privs).ok()?;
    rules.insert(libc::SYS_prctl, vec![SeccompRule::new(vec![other_use]).ok()?]);
    let other_advice = ADVICE.iter().map(|advice| {
        SeccompCondition::new(2, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, u64::try_from(*advice).ok()?).ok()
    });
    rules.insert(libc::SYS_madvise, vec![SeccompRule::new(other_advice.collect::<Option<_>>()?).ok()?]);
    compiled(rules, SeccompAction::Allow, SeccompAction::Errno(u32::try_from(libc::EACCES).ok()?))
}

/// Kills for every call that is neither in [`CALLS`] nor in [`REFUSED_CALLS`].
fn killing_filter() -> Option<seccompiler::BpfProgram> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        CALLS.iter().chain(REFUSED_CALLS).map(|call| (*call, Vec::new())).collect();
    let equals =
        |index: u8, value: u64| SeccompCondition::new(index, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value).ok();
    let only_if = |conditions: Vec<SeccompCondition>| Some(vec![SeccompRule::new(conditions).ok()?]);
    // One signal, to itself: how a program aborts.
    let abort = equals(2, u64::try_from(libc::SIGABRT).ok()?)?;
    rules.insert(libc::SYS_tgkill, only_if(vec![equals(0, u64::from(std::process::id()))?, abort])?);
    // No memory that can be executed, which an interpreter never needs.
    let without = |index: u8, bits: libc::c_int| {
        let mask = SeccompCmpOp::MaskedEq(u64::try_from(bits).ok()?);
        SeccompCondition::new(index, SeccompCmpArgLen::Dword, mask, 0).ok()
    };
    rules.insert(libc::SYS_mprotect, only_if(vec![without(2, libc::PROT_EXEC)?])?);
    // Shared memory counts in no limit of the process's, and locked memory is the machine's.
    let private = without(3, libc::MAP_SHARED | libc::MAP_LOCKED)?;
    rules.insert(libc::SYS_mmap, only_if(vec![without(2, libc::PROT_EXEC)?, private])?);
    compiled(rules, SeccompAction::KillProcess, SeccompAction::Allow)
}

fn compiled(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    listed: SeccompAction,
) -> Option<seccompiler::BpfProgram> {
    let arch = std::env::consts::ARCH.try_into().ok()?;
    SeccompFilter::new(rules, otherwise, listed, arch).ok()?.try_into().ok()
}
