/** How long the steps of a cluster take. Whatever the scale, their order stays that of a real cluster. */
export interface ClusterTimes {
  /** How often each node looks at the others. */
  readonly tickMs: number;
  /** How often nodes tell each other what they know. */
  readonly gossipMs: number;
  /** From the loss of a leader to the election of the next. */
  readonly electionMs: number;
  /** How long a node that is silent with its connections open is taken for alive. */
  readonly silenceMs: number;
  /** How long an append waits for a majority before it is answered with a timeout. */
  readonly commitTimeoutMs: number;
  /** How long a leader without a majority goes on leading. */
  readonly resignMs: number;
  /** How long a deposed leader that runs again believes that it leads, though the new leader is there. */
  readonly beliefMs: number;
  /** How long a node that is ended in order takes to end. */
  readonly shutdownMs: number;
  /** How long a node that ended by itself, to truncate its log, is away. */
  readonly restartMs: number;
}

/** As met on EventStoreDB 23.10.8. */
export const REAL_TIMES: ClusterTimes = {
  tickMs: 50,
  gossipMs: 1_000,
  electionMs: 1_000,
  silenceMs: 15_000,
  commitTimeoutMs: 2_200,
  resignMs: 4_000,
  beliefMs: 2_500,
  shutdownMs: 4_000,
  restartMs: 3_000,
};

/** The same order of events within about a second and a half. */
export const QUICK_TIMES: ClusterTimes = {
  tickMs: 10,
  gossipMs: 100,
  electionMs: 300,
  silenceMs: 700,
  commitTimeoutMs: 400,
  resignMs: 1_200,
  beliefMs: 700,
  shutdownMs: 500,
  restartMs: 500,
};
