/** The durations of cluster operations. At each scale their order is that of a real cluster. */
export interface ClusterTimes {
  /** The interval at which each node checks the others. */
  readonly tickMs: number;
  /** The interval of gossip between nodes. */
  readonly gossipMs: number;
  /** The time from the loss of a leader to the next election. */
  readonly electionMs: number;
  /** The time after which a silent node with open connections counts as lost. */
  readonly silenceMs: number;
  /** The time that an append waits for a majority before it times out. */
  readonly commitTimeoutMs: number;
  /** The time after which a leader without a majority resigns. */
  readonly resignMs: number;
  /** The time after which a deposed leader that runs again accepts the new leader. */
  readonly deposedMs: number;
  /** The duration of an orderly shutdown. */
  readonly shutdownMs: number;
  /** The time between the exit of a node that truncates its log and its restart. */
  readonly restartMs: number;
}

/** Measured on EventStoreDB 23.10.8. */
export const REAL_TIMES: ClusterTimes = {
  tickMs: 50,
  gossipMs: 1_000,
  electionMs: 1_000,
  silenceMs: 15_000,
  commitTimeoutMs: 2_200,
  resignMs: 4_000,
  deposedMs: 2_500,
  shutdownMs: 4_000,
  restartMs: 3_000,
};

/** The same order of steps within about 1.5 seconds. */
export const QUICK_TIMES: ClusterTimes = {
  tickMs: 10,
  gossipMs: 100,
  electionMs: 300,
  silenceMs: 700,
  commitTimeoutMs: 400,
  resignMs: 1_200,
  deposedMs: 700,
  shutdownMs: 500,
  restartMs: 500,
};
