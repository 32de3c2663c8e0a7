//! What joins the instances with a database of all hosts into a cluster: interconnect, global cache, and what messages
//! cost. Times are [`Ns`], sizes bytes or blocks.
use crate::config::KindConfig;
use wwi_kernel::time::Ns;

/// What lies in the buffer of a packet besides what it says \[bytes\]: headers of Ethernet (14), IP (20) and UDP (8).
const HEADERS: u32 = 42;
/// Room that Linux leaves before them (`NET_SKB_PAD` of x86-64) \[bytes\].
const HEADROOM: u32 = 64;
/// `skb_shared_info`, behind them, and `sk_buff`, by itself, as Linux of 64 bits accounts for them \[bytes\].
const SHARED_INFO: u32 = 320;
const SK_BUFF: u32 = 256;

/// The cluster of all instances with a database.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterConfig {
    /// The private network.
    pub interconnect: InterconnectConfig,
    /// CPU of messages.
    pub costs: MessageCosts,
    /// Blocks that transactions of all instances read and change.
    pub blocks: u32,
    /// A holder that has built so many copies of a block for others since it last changed it gives its lock down to
    /// shared (`_fairness_threshold`).
    pub fairness: u32,
    /// CPU of a session that has changed a block, during which it keeps it pinned.
    pub pin: Ns,
    /// Sessions that stand in line to change a block which another instance is to have may do so for so long
    /// (`_gc_defer_time`).
    pub defer: Ns,
    /// A request that lay longer in the queue of an LMS is called congested.
    pub congested: Ns,
    /// A block that has not come after this was lost, and is asked for again; a message that was dropped is sent again.
    pub retry: Ns,
    /// A commit waits until all other instances know its SCN (`_immediate_commit_propagation`).
    pub broadcasts: bool,
    /// Heartbeats between the nodes; `None`: nobody counts them.
    pub css: Option<CssConfig>,
}

/// Cluster Synchronization Services: heartbeats, and what becomes of a node whose heartbeats do not come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CssConfig {
    /// After so long without heartbeats a node has to leave (`css misscount`).
    pub misscount: Ns,
    /// Time between the heartbeats of a node.
    pub heartbeat: Ns,
    /// CPU of the kernel thread to send a node's heartbeats, and to take one.
    pub work: Ns,
    /// How long the global cache stands still when an instance has left.
    pub reconfiguration: Ns,
    /// How long an LMS may not move before LMHB ends its instance (`_lm_rcvr_hang_allow_time`).
    pub hangs: Ns,
    /// Time between two looks of LMHB.
    pub looks: Ns,
}

impl CssConfig {
    /// A node without heartbeats has left by then, and the others work again.
    pub fn longest(&self) -> Ns {
        self.misscount.plus(Ns(2 * self.heartbeat.0)).plus(self.reconfiguration)
    }
}

/// The private network: each host has one port.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterconnectConfig {
    /// From the last byte leaving a port to a message lying at the other host: network stacks and switch.
    pub latency: Ns,
    /// Of a port, in each direction.
    pub bytes_per_s: f64,
    /// Payload of a fragment; `None`: the adapter takes messages apart, and no CPU is needed for it.
    pub fragment_bytes: Option<u32>,
    /// A message without a block.
    pub message_bytes: u32,
    /// A message with one.
    pub block_bytes: u32,
    /// Receive buffer of an LMS; what comes when more is accounted for is dropped. [`u32::MAX`]: the sender waits for
    /// room.
    pub buffer_bytes: u32,
    /// Share of messages with blocks that get lost.
    pub lost: f64,
}

/// CPU of messages, each of one process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageCosts {
    /// Of a session that asks for a block.
    pub request: Ns,
    /// Of an LMS for each message.
    pub message: Ns,
    /// Besides, to send a message that has no block.
    pub forward: Ns,
    /// Besides, to build a consistent copy.
    pub build: Ns,
    /// Besides, to give a current block away.
    pub serve: Ns,
    /// Besides, to send a block.
    pub send: Ns,
    /// For each fragment of a block, on both sides.
    pub fragment: Ns,
    /// Of a session that gets a block.
    pub receive: Ns,
    /// Of a session that gets a grant.
    pub granted: Ns,
    /// Of who slept until a message came.
    pub wakeup: Ns,
}

/// LMS processes of an instance, and what they wait for.
#[derive(Clone, Debug, PartialEq)]
pub struct LmsConfig {
    /// How many (`gcs_server_processes`).
    pub count: u32,
    /// How long one looks for messages before it sleeps; zero: it sleeps at once.
    pub poll: Ns,
    /// Class, priority and binding.
    pub kind: KindConfig,
    /// When redo must be written before a block may leave.
    pub flush: Flush,
    /// It waits for that, and for nothing else meanwhile.
    pub waits_for_flush: bool,
    /// Share of the copies for which it has not all that is needed, and which the requester finishes (light works).
    pub light: f64,
    /// Share of its reads from disk that are of objects whose master it is, or of such as are mostly read.
    pub affinity: f64,
    /// Reads of shared blocks in a transaction of the instance.
    pub reads: f64,
    /// Changes of shared blocks in a transaction, besides those of others.
    pub changes: f64,
}

/// When redo must be written before a block may leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flush {
    /// Where the block has changes whose redo is not on disk.
    Dirty,
    /// For these shares of the blocks, with this delay.
    Given {
        /// Share of the copies.
        share: f64,
        /// Share of the blocks that are given away.
        current: f64,
        /// How long it takes.
        takes: Ns,
    },
    /// Never.
    Never,
}

impl InterconnectConfig {
    /// What a message without a block takes of a receive buffer, as Linux accounts for it (`skb->truesize`) \[bytes\]:
    /// a piece of memory for what lies in it, which has a power of two of bytes, and what describes it.
    pub fn charge(&self) -> u32 {
        (HEADROOM + HEADERS + self.message_bytes + SHARED_INFO).next_power_of_two() + SK_BUFF
    }

    /// Whether one more has room beside so many: it has where these are within the limit
    /// (`__udp_enqueue_schedule_skb`).
    pub fn has_room(&self, messages: u32) -> bool {
        u64::from(messages) * u64::from(self.charge()) <= u64::from(self.buffer_bytes)
    }

    /// Fragments of a message with a block that cost CPU.
    pub fn fragments(&self) -> u64 {
        self.fragment_bytes.map_or(0, |payload| u64::from(self.block_bytes.div_ceil(payload.max(1))))
    }
}

impl MessageCosts {
    /// Of an LMS that sends a block in so many fragments, besides building a copy or giving it away.
    pub fn block(&self, fragments: u64) -> Ns {
        self.send.plus(Ns(self.fragment.0 * fragments))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::interconnect;

    /// 300 bytes and 42 of headers, 64 before and 320 behind them: 726, in a piece of 1,024; and 256. 204 of them are
    /// 261,120 bytes, so that one more is taken; after that they are 262,400, over the limit.
    #[test]
    fn a_receive_buffer_holds_what_linux_accounts_for() {
        let of = interconnect("1GbE", 1500);
        assert_eq!((of.message_bytes, of.buffer_bytes, of.charge()), (300, 262_144, 1_280));
        assert!(of.has_room(204) && !of.has_room(205));
        assert!(interconnect("InfiniBand", 1500).has_room(1_000_000), "its sender waits for room");
    }
}
