//! The table of process kinds, and the accounting groups that follow from it: what is told of processes is told by
//! kind, host, instance and scheduling class.
use crate::config::cluster::LmsConfig;
use crate::config::database::DatabaseConfig;
use crate::config::parallel::ParallelConfig;
use crate::config::sequence::{LockServers, SequenceConfig};
use crate::config::{CgroupConfig, Class, Config, KindConfig};
use wwi_kernel::time::Ns;

/// What has processes of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// Each instance.
    Instance,
    /// Each host.
    Host,
}

/// What belongs to all processes of a kind.
#[derive(Debug)]
pub struct Kind {
    /// As reports and links name it.
    pub name: &'static str,
    /// What has processes of it.
    pub per: Per,
    /// The Resource Manager counts its processes.
    pub is_caged: bool,
    /// Its transactions are the users', and its time is sessions' time.
    pub is_session: bool,
    /// There are few of them, and rows tell each by itself.
    pub is_told_singly: bool,
    /// Only where there are processes of it is there an accounting group.
    pub is_optional: bool,
    /// Class, priority and binding of those of an instance or host; `None` where it has none.
    pub settings: fn(&Config, usize) -> Option<&KindConfig>,
}

impl Kind {
    /// They serve an instance from its start, long before there is load: its background processes.
    pub fn is_of_the_instance(&self) -> bool {
        self.per == Per::Instance && self.is_told_singly && !self.is_caged
    }
}

/// Index into [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KindId(pub u8);

impl KindId {
    /// Sessions and those who stand for them.
    pub const SESSION: KindId = KindId(0);
    /// Load outside the database.
    pub const BACKGROUND: KindId = KindId(1);
    /// The server of a host.
    pub const SERVICE: KindId = KindId(2);
    /// Log writers.
    pub const LGWR: KindId = KindId(3);
    /// Database writers.
    pub const DBWR: KindId = KindId(4);
    /// Checkpoint processes.
    pub const CKPT: KindId = KindId(5);
    /// Programs of users on the database's host.
    pub const CLIENT: KindId = KindId(6);
    /// Processes that serve the global cache.
    pub const LMS: KindId = KindId(7);
    /// Processes that see to locks of instances as their masters.
    pub const LMD: KindId = KindId(8);
    /// Processes that see to locks that their instances hold.
    pub const LCK0: KindId = KindId(9);
    /// Slaves of parallel queries.
    pub const SLAVE: KindId = KindId(10);
    /// Kernel threads through which CSS heartbeats go.
    pub const HEARTBEAT: KindId = KindId(11);
    /// More load outside the database, of another sort.
    pub const BACKGROUND_2: KindId = KindId(12);
    /// And of a third.
    pub const BACKGROUND_3: KindId = KindId(13);
    /// A writer and its clients.
    #[cfg(feature = "planted")]
    pub const PLANTED: KindId = KindId(14);

    /// Every kind, in the order of the table.
    pub fn all() -> impl Iterator<Item = KindId> + Clone {
        (0..KINDS.len() as u8).map(KindId)
    }
    /// Its row.
    #[inline(never)]
    pub fn row(self) -> &'static Kind {
        &KINDS[usize::from(self.0)]
    }
    /// As reports and links name it.
    pub fn name(self) -> &'static str {
        self.row().name
    }
    /// Whether each instance has processes of its own of this kind.
    pub fn is_per_instance(self) -> bool {
        self.row().per == Per::Instance
    }
}

/// Settings of the kinds that an instance has beside its sessions: a field for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Others {
    /// Transactions that change blocks, with all that this needs.
    pub database: Option<Box<DatabaseConfig>>,
    /// Its part of a cluster.
    pub lms: Option<Box<LmsConfig>>,
    /// How its transactions take values from a sequence.
    pub sequence: Option<Box<SequenceConfig>>,
    /// Parallel queries, and slaves for them.
    pub parallel: Option<Box<ParallelConfig>>,
    /// The kernel thread for its heartbeats: class, priority and binding.
    pub heartbeat: Option<Box<KindConfig>>,
    /// A writer and its clients.
    #[cfg(feature = "planted")]
    pub planted: Option<Planted>,
}

/// A writer and its clients.
#[cfg(feature = "planted")]
#[derive(Clone, Debug, PartialEq)]
pub struct Planted {
    /// How many.
    pub clients: u32,
    /// Of a client between two items.
    pub think: Ns,
    /// CPU time of a client before an item, and of the writer before a write.
    pub work: Ns,
    /// How long a write takes.
    pub write: Ns,
    /// Class, priority and binding.
    pub kind: KindConfig,
}

fn database(config: &Config, instance: usize) -> Option<&DatabaseConfig> {
    config.instances.get(instance)?.others.database.as_deref()
}

fn lock_servers(config: &Config, instance: usize) -> Option<&LockServers> {
    config.instances.get(instance)?.others.sequence.as_ref()?.servers.as_ref()
}

/// All kinds. Sessions first: the accounting group of an instance's sessions has the number of the instance.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "session",
        per: Per::Instance,
        is_caged: true,
        is_session: true,
        is_told_singly: false,
        is_optional: false,
        settings: |config, instance| Some(&config.instances.get(instance)?.session_kind),
    },
    Kind {
        name: "background",
        per: Per::Host,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: false,
        settings: |config, node| Some(&config.nodes.get(node)?.background.kind),
    },
    Kind {
        name: "service",
        per: Per::Host,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: false,
        settings: |config, node| Some(&config.nodes.get(node)?.service.as_ref()?.kind),
    },
    Kind {
        name: "lgwr",
        per: Per::Instance,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, instance| Some(&database(config, instance)?.lgwr),
    },
    Kind {
        name: "dbwr",
        per: Per::Instance,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, instance| Some(&database(config, instance)?.dbwr),
    },
    Kind {
        name: "ckpt",
        per: Per::Instance,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, instance| Some(&database(config, instance)?.ckpt),
    },
    Kind {
        name: "client",
        per: Per::Instance,
        is_caged: false,
        is_session: false,
        is_told_singly: false,
        is_optional: true,
        settings: |config, instance| {
            let database = database(config, instance)?;
            (database.transaction.client > Ns::ZERO).then_some(&database.client)
        },
    },
    Kind {
        name: "lms",
        per: Per::Instance,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, instance| Some(&config.instances.get(instance)?.others.lms.as_ref()?.kind),
    },
    Kind {
        name: "lmd",
        per: Per::Instance,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, instance| Some(&lock_servers(config, instance)?.lmd),
    },
    Kind {
        name: "lck0",
        per: Per::Instance,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, instance| Some(&lock_servers(config, instance)?.lck0),
    },
    Kind {
        name: "slave",
        per: Per::Instance,
        is_caged: true,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, instance| Some(&config.instances.get(instance)?.others.parallel.as_ref()?.kind),
    },
    Kind {
        name: "heartbeat",
        per: Per::Instance,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, instance| config.instances.get(instance)?.others.heartbeat.as_deref(),
    },
    Kind {
        name: "background2",
        per: Per::Host,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, node| Some(&config.nodes.get(node)?.more_background[0].as_ref()?.kind),
    },
    Kind {
        name: "background3",
        per: Per::Host,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: true,
        settings: |config, node| Some(&config.nodes.get(node)?.more_background[1].as_ref()?.kind),
    },
    #[cfg(feature = "planted")]
    Kind {
        name: "planted",
        per: Per::Instance,
        is_caged: false,
        is_session: false,
        is_told_singly: true,
        is_optional: false,
        settings: |config, instance| Some(&config.instances.get(instance)?.others.planted.as_ref()?.kind),
    },
];

/// Whose sums an accounting group holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupOf {
    /// Kind of its processes.
    pub kind: KindId,
    /// Their host.
    pub node: usize,
    /// Their instance, if they belong to one.
    pub instance: Option<usize>,
    /// Their scheduling class; `None` where the host has no such process.
    pub class: Option<Class>,
}

impl Config {
    /// All accounting groups: each kind in the order of the table, by instance or by host.
    #[inline(never)]
    pub fn groups(&self) -> Vec<GroupOf> {
        let of = |kind: KindId| {
            let row = kind.row();
            (0..self.places(kind)).filter(move |&place| self.has_group(kind, place)).map(move |place| {
                let class = (row.settings)(self, place).map(|settings| settings.class);
                match row.per {
                    Per::Instance => GroupOf { kind, node: self.instances[place].node, instance: Some(place), class },
                    Per::Host => GroupOf { kind, node: place, instance: None, class },
                }
            })
        };
        KindId::all().flat_map(of).collect()
    }
    /// The accounting group of the processes of a kind that belong to this place: an instance or a host, as the kind
    /// says.
    #[inline(never)]
    pub fn group(&self, kind: KindId, place: usize) -> usize {
        let before = KindId::all().take_while(|&other| other != kind);
        before.map(|kind| self.groups_before(kind, self.places(kind))).sum::<usize>() + self.groups_before(kind, place)
    }
    /// Accounting groups of a kind up to a place.
    fn groups_before(&self, kind: KindId, place: usize) -> usize {
        if kind.row().is_optional {
            (0..place).filter(|&place| self.has_group(kind, place)).count()
        } else {
            place
        }
    }
    fn has_group(&self, kind: KindId, place: usize) -> bool {
        !kind.row().is_optional || (kind.row().settings)(self, place).is_some()
    }
    /// Instances or hosts that may have a group of a kind.
    fn places(&self, kind: KindId) -> usize {
        if kind.is_per_instance() {
            self.instances.len()
        } else {
            self.nodes.len()
        }
    }
    /// Accounting group of a node's background processes.
    pub fn background_group(&self, node: usize) -> usize {
        self.group(KindId::BACKGROUND, node)
    }
    /// Accounting group of a node's server.
    pub fn service_group(&self, node: usize) -> usize {
        self.group(KindId::SERVICE, node)
    }
    /// The control group of the processes of a kind and accounting group, as an index into [`Config::control_groups`]:
    /// their own, else that of their instance. A kernel thread is the host's, whatever instance it serves.
    pub fn control_group(&self, kind: KindId, place: usize, group: usize) -> Option<usize> {
        if (kind.row().settings)(self, place).is_some_and(|settings| settings.cgroup.is_some()) {
            return Some(self.instances.len() + group);
        }
        let of = self.instances.get(place).filter(|_| kind.is_per_instance() && kind != KindId::HEARTBEAT);
        of.and_then(|instance| instance.cgroup).map(|_| place)
    }
    /// Control groups of a node: of each instance, then, where a kind has one of its own, of each accounting group.
    pub fn control_groups(&self, node: usize) -> Vec<Option<CgroupConfig>> {
        let groups = self.groups();
        let own = |of: &GroupOf| {
            let settings = (of.kind.row().settings)(self, of.instance.unwrap_or(of.node)).filter(|_| of.node == node);
            settings.and_then(|settings| settings.cgroup)
        };
        let mut all: Vec<_> = self.instances.iter().map(|i| i.cgroup.filter(|_| i.node == node)).collect();
        if groups.iter().any(|of| own(of).is_some()) {
            all.extend(groups.iter().map(own));
        }
        all
    }
    /// Class, priority and binding of everything that runs on a node.
    pub fn kinds(&self, node: usize) -> impl Iterator<Item = &KindConfig> {
        let here = self.groups().into_iter().filter(move |group| group.node == node);
        here.filter_map(|group| (group.kind.row().settings)(self, group.instance.unwrap_or(group.node)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{hogs, node};

    #[test]
    fn groups_are_kinds_by_instance_or_host_in_the_order_of_the_table() {
        let on = |node| crate::config::InstanceConfig { node, ..hogs(1) };
        let config =
            Config { nodes: vec![node(), node()], instances: vec![on(1), on(0), on(1)], cluster: None, seed: 1 };
        let words: Vec<String> = config
            .groups()
            .iter()
            .map(|g| format!("{} {} {:?} {:?}", g.kind.row().name, g.node, g.instance, g.class))
            .collect();
        let ordinary = "Some(TimeSharing)";
        let expected = [
            format!("session 1 Some(0) {ordinary}"),
            format!("session 0 Some(1) {ordinary}"),
            format!("session 1 Some(2) {ordinary}"),
            format!("background 0 None {ordinary}"),
            format!("background 1 None {ordinary}"),
            "service 0 None None".to_owned(),
            "service 1 None None".to_owned(),
        ];
        assert_eq!(words, expected);
        assert_eq!([config.background_group(1), config.service_group(0), config.kinds(1).count()], [4, 5, 3]);
        for (at, group) in config.groups().iter().enumerate() {
            assert_eq!(config.group(group.kind, group.instance.unwrap_or(group.node)), at);
        }
    }
}
