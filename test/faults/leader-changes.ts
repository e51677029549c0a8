import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../support/clock.js';
import type { Cluster } from '../support/eventstoredb/cluster/cluster.js';
import type { ClusterNode } from '../support/eventstoredb/cluster/node.js';
import type { Trial } from './trial.js';

const MIN_PAUSE_BETWEEN_MS = 300;
const MAX_PAUSE_BETWEEN_MS = 900;
/** Longer than the deadline of a call, so the service's clients connect to another node. */
const LONG_PAUSE_MS = 6_500;
const TIMEOUT_MS = 30_000;
const POLL_MS = 20;

type Change = (leader: ClusterNode) => Promise<void>;

/** The readiness report of a process. */
interface Readiness {
  readonly parts: Readonly<Record<string, { readonly status: string }>>;
}

/** Causes leader changes of every kind while a trial runs. */
export class LeaderChanges {
  /** The changes so far, with the milliseconds from the last election to the next acknowledged write. */
  readonly done: { readonly name: string; readonly recoveryMs: number | null }[] = [];
  /** The readiness of the log and the documents in each process while the cluster had no majority. */
  readonly readiness: string[] = [];

  constructor(
    private readonly cluster: Cluster,
    private readonly trial: Trial,
    private readonly random: SeededRandom,
    private readonly opsPorts: readonly number[],
  ) {}

  /** Returns `count` changes with all kinds equally often. @param only a text that the names must contain */
  plan(count: number, only = ''): (() => Promise<void>)[] {
    const kinds = Object.entries(this.kinds).filter(([name]) => name.includes(only));
    const order: (typeof kinds)[number][] = [];
    while (order.length < count) order.push(...this.shuffle(kinds));
    return order.slice(0, count).map(
      ([name, change]) =>
        () =>
          this.run(name, change),
    );
  }

  private readonly kinds: Readonly<Record<string, Change>> = {
    'leader killed': async (leader) => {
      leader.kill();
      await this.cluster.waitForLeader();
    },
    'leader shut down': async (leader) => {
      await this.cluster.shutDown(leader);
      await this.cluster.waitForLeader();
    },
    'leader cut off from the other nodes': async (leader) => {
      this.cluster.isolate(leader);
      await this.cluster.waitForLeader(leader);
      await this.waitUpTo(this.cluster.times.deposedMs);
    },
    'leader cut off from nodes and clients': async (leader) => {
      this.cluster.isolate(leader, 'are cut off');
      await this.cluster.waitForLeader(leader);
      await this.waitUpTo(this.cluster.times.deposedMs);
    },
    'majority paused briefly': async (leader) => {
      for (const node of this.shuffleOthers(leader)) this.cluster.pause(node);
      await this.waitForAppendTimeout();
    },
    'followers cut off briefly': async (leader) => {
      for (const node of this.shuffleOthers(leader)) this.cluster.isolate(node);
      await this.waitForAppendTimeout();
    },
    'majority paused until the leader resigns': async (leader) => {
      for (const node of this.shuffleOthers(leader)) this.cluster.pause(node);
      await this.cluster.waitUntil(() => leader.role === 'unknown');
      await this.recordReadiness();
    },
    'majority paused, and the leader killed before it continues': async (leader) => {
      const others = this.shuffleOthers(leader);
      for (const node of others) this.cluster.pause(node);
      await this.waitForAppendTimeout();
      leader.kill();
      for (const node of others) await this.cluster.continue(node);
      await this.cluster.waitForLeader(leader);
    },
    'leader and a follower killed': async (leader) => {
      const [other] = this.shuffleOthers(leader);
      for (const node of [leader, other!]) node.kill();
      await this.waitUpTo(1_000);
    },
    'leader paused and continued': async (leader) => {
      this.cluster.pause(leader);
      await this.cluster.waitForLeader(leader);
      await this.waitUpTo(1_000);
    },
    'leader paused and continued, and the next leader killed': (leader) => this.pauseAndLose(leader, 0),
    'leader paused, its clients cut off, and the next leader killed': async (leader) => {
      this.cluster.pause(leader, 'are cut off');
      const next = await this.cluster.waitForLeader(leader);
      await this.waitUpTo(1_500);
      await this.cluster.continue(leader);
      await this.waitUpTo(this.cluster.times.deposedMs);
      next.kill();
      await this.cluster.waitForLeader();
    },
    'leader paused for long, and the next leader killed': (leader) => this.pauseAndLose(leader, LONG_PAUSE_MS),
    'leader killed, and the next one soon after': async (leader) => {
      leader.kill();
      const next = await this.cluster.waitForLeader();
      await leader.start();
      await this.waitUpTo(this.cluster.times.deposedMs);
      next.kill();
      await this.cluster.waitForLeader();
    },
    'leader killed and a process killed': async (leader) => {
      leader.kill();
      await this.killProcess();
    },
    'leader paused and continued, and a process killed': async (leader) => {
      this.cluster.pause(leader);
      await this.cluster.waitForLeader(leader);
      const killed = this.killProcess();
      await this.cluster.continue(leader);
      await killed;
    },
    'leader killed, with a lagging follower and late gossip': async (leader) => {
      const [late, other] = this.shuffleOthers(leader);
      [late!.lagMs, other!.gossipDelayMs] = [300, 500];
      await this.waitUpTo(this.cluster.times.deposedMs);
      leader.kill();
      await this.cluster.waitForLeader();
    },
  };

  private async pauseAndLose(leader: ClusterNode, pauseMs: number): Promise<void> {
    this.cluster.pause(leader);
    const [next] = await Promise.all([this.cluster.waitForLeader(leader), delay(pauseMs)]);
    await this.waitUpTo(this.cluster.times.deposedMs);
    await this.cluster.continue(leader);
    await this.waitUpTo(this.cluster.times.deposedMs);
    next.kill();
    await this.cluster.waitForLeader();
  }

  private async run(name: string, change: Change): Promise<void> {
    await delay(MIN_PAUSE_BETWEEN_MS + this.random.next() * (MAX_PAUSE_BETWEEN_MS - MIN_PAUSE_BETWEEN_MS));
    const { length } = this.cluster.pastElections;
    await change(await this.cluster.waitForLeader());
    await this.cluster.restore();
    const election = this.cluster.pastElections.slice(length).at(-1);
    this.done.push({ name, recoveryMs: election === undefined ? null : await this.measureRecovery(election.at) });
    await this.trial.observer.observe();
  }

  /** Returns the milliseconds to the first write acknowledged since then. */
  private async measureRecovery(since: number): Promise<number> {
    const { client } = this.trial;
    while (client.acknowledgedAt < since && performance.now() - since < TIMEOUT_MS) await delay(POLL_MS);
    return Math.round((client.acknowledgedAt < since ? performance.now() : client.acknowledgedAt) - since);
  }

  private async killProcess(): Promise<void> {
    const service = this.trial.processes.all[Math.floor(this.random.next() * this.trial.processes.all.length)]!;
    await service.kill9();
    await service.start();
  }

  /** Reads the readiness of each process as soon as it reports the event store as unavailable. */
  private async recordReadiness(): Promise<void> {
    const end = performance.now() + TIMEOUT_MS;
    for (const port of this.opsPorts) {
      let said = await readReadiness(port);
      while (said.parts.event_store?.status !== 'red' && performance.now() < end) said = await readReadiness(port);
      this.readiness.push(
        `event_store ${said.parts.event_store?.status}, read_models ${said.parts.read_models?.status}`,
      );
    }
  }

  /** Waits until appends have timed out, but not until a leader without a majority resigns. */
  private waitForAppendTimeout(): Promise<void> {
    const { commitTimeoutMs, resignMs } = this.cluster.times;
    return delay(commitTimeoutMs + this.random.next() * (resignMs - commitTimeoutMs));
  }

  private waitUpTo(ms: number): Promise<void> {
    return delay(this.random.next() * ms);
  }

  private shuffleOthers(leader: ClusterNode): ClusterNode[] {
    return this.shuffle(this.cluster.nodes.filter((node) => node !== leader));
  }

  private shuffle<T>(all: readonly T[]): T[] {
    return all
      .map((one) => ({ one, by: this.random.next() }))
      .sort((a, b) => a.by - b.by)
      .map(({ one }) => one);
  }
}

async function readReadiness(port: number): Promise<Readiness> {
  await delay(POLL_MS);
  return (await fetch(`http://127.0.0.1:${port}/health/ready`)).json() as Promise<Readiness>;
}
