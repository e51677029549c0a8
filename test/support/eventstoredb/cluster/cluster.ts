import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseLog } from '../log.ts';
import { NodeState } from '../messages.ts';
import { type Election, Elections } from './elections.ts';
import { Membership } from './membership.ts';
import { ClusterNode } from './node.ts';
import { Replication } from './replication.ts';
import { type ClusterTimes, QUICK_TIMES } from './times.ts';

const NODES = 3;

/** The handling of client connections while a node is paused or isolated. */
export type ConnectionHandling = 'stay connected' | 'are cut off';

/**
 * Three in-process EventStoreDB nodes, each on its own port, with replication, elections, gossip and deposed leaders.
 */
export class Cluster {
  readonly nodes: readonly ClusterNode[];
  readonly times: ClusterTimes;
  private readonly replication: Replication;
  private readonly membership: Membership;
  private readonly elections: Elections;
  private readonly closing = new AbortController();
  private readonly ticks = new EventEmitter().setMaxListeners(0);
  private timer: NodeJS.Timeout | undefined;

  private constructor(times: ClusterTimes) {
    this.times = times;
    this.nodes = Array.from({ length: NODES }, () => new ClusterNode(times));
    this.replication = new Replication(this.nodes);
    this.membership = new Membership(this.nodes, times);
    this.elections = new Elections(this.membership, this.replication, times, (node) => void this.restartLater(node));
  }

  /** Resolves when every node knows the leader. */
  static async start(times: ClusterTimes = QUICK_TIMES): Promise<Cluster> {
    const cluster = new Cluster(times);
    for (const node of cluster.nodes) await node.start();
    cluster.timer = setInterval(() => cluster.tick(), times.tickMs);
    const { port } = await cluster.waitForLeader();
    await cluster.waitUntil(() =>
      cluster.nodes.every(({ known, self }) =>
        [self, ...known.values()].some((each) => each.port === port && each.state === NodeState.LEADER),
      ),
    );
    return cluster;
  }

  /** The connection string with every node, for a client without TLS. */
  get connection(): string {
    return `esdb://${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false`;
  }

  /** The node that leads and is followed by a majority. */
  get leader(): ClusterNode | null {
    return this.elections.leader;
  }

  get pastElections(): readonly Election[] {
    return this.elections.past;
  }

  /** All events that any leader has committed. */
  get committed(): DatabaseLog {
    return this.replication.committed;
  }

  /** Resolves with the leader, other than `except`, once it has committed the events it inherited. */
  waitForLeader(except?: ClusterNode): Promise<ClusterNode> {
    return this.waitUntil(() => {
      const { leader } = this;
      return leader !== null && leader !== except && leader.log.all.at(-1)?.epoch === leader.epoch ? leader : null;
    });
  }

  /** Calls `ask` at every tick; resolves with the first answer that is neither null nor false. */
  async waitUntil<T>(ask: () => T | null | false): Promise<T> {
    for (;;) {
      const answer = ask();
      if (answer !== null && answer !== false) return answer;
      await once(this.ticks, 'tick', { signal: this.closing.signal });
    }
  }

  /** Shuts a node down: it refuses calls at once and stops after a while. */
  async shutDown(node: ClusterNode): Promise<void> {
    node.role = 'ending';
    await delay(this.times.shutdownMs);
    node.kill();
  }

  pause(node: ClusterNode, clients: ConnectionHandling = 'stay connected'): void {
    node.pause();
    if (clients === 'are cut off') node.closeServer();
  }

  async continue(node: ClusterNode): Promise<void> {
    node.continue();
    if (node.up) await node.listen();
  }

  /** Isolates a node from the other nodes. */
  isolate(node: ClusterNode, clients: ConnectionHandling = 'stay connected'): void {
    node.isIsolated = true;
    if (clients === 'are cut off') node.closeServer();
  }

  async reconnect(node: ClusterNode): Promise<void> {
    node.isIsolated = false;
    if (node.up) await node.listen();
  }

  /** Ends all faults. Resolves when every other node follows the leader. */
  async restore(): Promise<ClusterNode> {
    for (const node of this.nodes) {
      [node.isIsolated, node.lagMs, node.gossipDelayMs, node.gossipOverride] = [false, 0, 0, null];
      if (node.up) await this.continue(node);
      else await node.start();
    }
    return this.waitUntil(() => {
      const { leader } = this;
      return leader !== null && this.replication.findFollowers(leader).length === NODES - 1 ? leader : null;
    });
  }

  close(): void {
    clearInterval(this.timer);
    this.closing.abort();
    for (const node of this.nodes) node.kill();
  }

  private tick(): void {
    const { tickMs } = this.times;
    this.membership.advance(tickMs);
    this.elections.advance(
      tickMs,
      this.nodes.filter(({ running }) => running),
    );
    this.replication.catchUp();
    this.ticks.emit('tick');
  }

  private async restartLater(node: ClusterNode): Promise<void> {
    await delay(this.times.restartMs, undefined, { signal: this.closing.signal }).catch(() => undefined);
    if (!this.closing.signal.aborted) await node.start();
  }
}
