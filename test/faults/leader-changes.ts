import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../support/clock.js';
import type { Cluster } from '../support/eventstoredb/cluster/cluster.js';
import type { ClusterNode } from '../support/eventstoredb/cluster/node.js';
import type { Trial } from './trial.js';

const SHORTEST_CALM_MS = 300;
const LONGEST_CALM_MS = 900;
/** Longer than the deadline of a call, so the service's clients connect to another node. */
const LONG_PAUSE_MS = 6_500;
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 20;

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
  take(count: number, only = ''): (() => Promise<void>)[] {
    const kinds = Object.entries(this.kinds).filter(([name]) => name.includes(only));
    const order: (typeof kinds)[number][] = [];
    while (order.length < count) order.push(...this.shuffled(kinds));
    return order.slice(0, count).map(
      ([name, change]) =>
        () =>
          this.happen(name, change),
    );
  }

  private readonly kinds: Readonly<Record<string, Change>> = {
    'leader killed': async (leader) => {
      leader.kill();
      await this.cluster.led();
    },
    'leader shut down': async (leader) => {
      await this.cluster.end(leader);
      await this.cluster.led();
    },
    'leader cut off from the other nodes': async (leader) => {
      this.cluster.cutOff(leader);
      await this.cluster.led(leader);
      await this.upTo(this.cluster.times.beliefMs);
    },
    'leader cut off from nodes and clients': async (leader) => {
      this.cluster.cutOff(leader, 'are cut off');
      await this.cluster.led(leader);
      await this.upTo(this.cluster.times.beliefMs);
    },
    'majority paused briefly': async (leader) => {
      for (const node of this.othersThan(leader)) this.cluster.pause(node);
      await this.untilAppendsTimeOut();
    },
    'followers cut off briefly': async (leader) => {
      for (const node of this.othersThan(leader)) this.cluster.cutOff(node);
      await this.untilAppendsTimeOut();
    },
    'majority paused until the leader resigns': async (leader) => {
      for (const node of this.othersThan(leader)) this.cluster.pause(node);
      await this.cluster.until(() => leader.role === 'unknown');
      await this.lookAtReadiness();
    },
    'majority paused, and the leader killed before it continues': async (leader) => {
      const others = this.othersThan(leader);
      for (const node of others) this.cluster.pause(node);
      await this.untilAppendsTimeOut();
      leader.kill();
      for (const node of others) await this.cluster.continue(node);
      await this.cluster.led(leader);
    },
    'leader and a follower killed': async (leader) => {
      const [other] = this.othersThan(leader);
      for (const node of [leader, other!]) node.kill();
      await this.upTo(1_000);
    },
    'leader paused and continued': async (leader) => {
      this.cluster.pause(leader);
      await this.cluster.led(leader);
      await this.upTo(1_000);
    },
    'leader paused and continued, and the next leader killed': (leader) => this.pauseAndLose(leader, 0),
    'leader paused, its clients cut off, and the next leader killed': async (leader) => {
      this.cluster.pause(leader, 'are cut off');
      const next = await this.cluster.led(leader);
      await this.upTo(1_500);
      await this.cluster.continue(leader);
      await this.upTo(this.cluster.times.beliefMs);
      next.kill();
      await this.cluster.led();
    },
    'leader paused for long, and the next leader killed': (leader) => this.pauseAndLose(leader, LONG_PAUSE_MS),
    'leader killed, and the next one soon after': async (leader) => {
      leader.kill();
      const next = await this.cluster.led();
      await leader.start();
      await this.upTo(this.cluster.times.beliefMs);
      next.kill();
      await this.cluster.led();
    },
    'leader killed and a process killed': async (leader) => {
      leader.kill();
      await this.killProcess();
    },
    'leader paused and continued, and a process killed': async (leader) => {
      this.cluster.pause(leader);
      await this.cluster.led(leader);
      const killed = this.killProcess();
      await this.cluster.continue(leader);
      await killed;
    },
    'leader killed, with a lagging follower and late gossip': async (leader) => {
      const [late, other] = this.othersThan(leader);
      [late!.lagMs, other!.gossipDelayMs] = [300, 500];
      await this.upTo(this.cluster.times.beliefMs);
      leader.kill();
      await this.cluster.led();
    },
  };

  private async pauseAndLose(leader: ClusterNode, pauseMs: number): Promise<void> {
    this.cluster.pause(leader);
    const [next] = await Promise.all([this.cluster.led(leader), delay(pauseMs)]);
    await this.upTo(this.cluster.times.beliefMs);
    await this.cluster.continue(leader);
    await this.upTo(this.cluster.times.beliefMs);
    next.kill();
    await this.cluster.led();
  }

  private async happen(name: string, change: Change): Promise<void> {
    await delay(SHORTEST_CALM_MS + this.random.next() * (LONGEST_CALM_MS - SHORTEST_CALM_MS));
    const { length } = this.cluster.elected;
    await change(await this.cluster.led());
    await this.cluster.heal();
    const election = this.cluster.elected.slice(length).at(-1);
    this.done.push({ name, recoveryMs: election === undefined ? null : await this.recovery(election.at) });
    await this.trial.onlooker.look();
  }

  /** Returns the milliseconds to the first write acknowledged since then. */
  private async recovery(since: number): Promise<number> {
    const { customer } = this.trial;
    while (customer.acknowledgedAt < since && performance.now() - since < PATIENCE_MS) await delay(LOOK_AGAIN_MS);
    return Math.round((customer.acknowledgedAt < since ? performance.now() : customer.acknowledgedAt) - since);
  }

  private async killProcess(): Promise<void> {
    const lives = this.trial.crew.all[Math.floor(this.random.next() * this.trial.crew.all.length)]!;
    await lives.kill9();
    await lives.begin();
  }

  /** Reads the readiness of each process as soon as it reports the event store as unavailable. */
  private async lookAtReadiness(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (const port of this.opsPorts) {
      let said = await readinessAt(port);
      while (said.parts.event_store?.status !== 'red' && performance.now() < end) said = await readinessAt(port);
      this.readiness.push(`event_store ${said.parts.event_store?.status}, read_models ${said.parts.read_models?.status}`);
    }
  }

  /** Waits until appends have timed out, but not until a leader without a majority resigns. */
  private untilAppendsTimeOut(): Promise<void> {
    const { commitTimeoutMs, resignMs } = this.cluster.times;
    return delay(commitTimeoutMs + this.random.next() * (resignMs - commitTimeoutMs));
  }

  private upTo(ms: number): Promise<void> {
    return delay(this.random.next() * ms);
  }

  private othersThan(leader: ClusterNode): ClusterNode[] {
    return this.shuffled(this.cluster.nodes.filter((node) => node !== leader));
  }

  private shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((one) => ({ one, by: this.random.next() }))
      .sort((a, b) => a.by - b.by)
      .map(({ one }) => one);
  }
}

async function readinessAt(port: number): Promise<Readiness> {
  await delay(LOOK_AGAIN_MS);
  return (await fetch(`http://127.0.0.1:${port}/health/ready`)).json() as Promise<Readiness>;
}
