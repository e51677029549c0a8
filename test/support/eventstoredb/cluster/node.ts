import { EventEmitter, once } from 'node:events';
import { type AppendOutcome, DatabaseLog, type ProposedEvent } from '../log.ts';
import type { Member } from '../member.ts';
import {
  createCommitTimeoutError,
  createNotLeaderError,
  createUnavailableError,
  type GossipedMember,
  NodeState,
} from '../messages.ts';
import { EventStoreDbServer, toConnectionString } from '../server.ts';
import type { ClusterTimes } from './times.ts';

/** The role that a node believes it has. `unknown`: it knows no leader. `ending`: it is shutting down. */
export type Role = 'leader' | 'follower' | 'unknown' | 'ending';

const GOSSIP_STATES: Readonly<Record<Role, NodeState>> = {
  leader: NodeState.LEADER,
  follower: NodeState.FOLLOWER,
  unknown: NodeState.UNKNOWN,
  ending: NodeState.SHUTTINGDOWN,
};

/** One node: its log, the role that it believes it has, and the server for its clients. */
export class ClusterNode implements Member {
  readonly log = new DatabaseLog();
  role: Role = 'unknown';
  /** The latest term that the node knows. */
  epoch = 0;
  leader: ClusterNode | null = null;
  /** Whether the node is isolated from the other nodes. */
  isIsolated = false;
  /** The delay of replication to this node. */
  lagMs = 0;
  /** The delay of this node's gossip responses. */
  gossipDelayMs = 0;
  /** Replaces the gossip that this node reports. */
  gossipOverride: (() => readonly GossipedMember[]) | null = null;
  /** The last known state of the other nodes. */
  readonly known = new Map<ClusterNode, GossipedMember>();

  port = 0;
  /** Emits `woken`, `committed`, `prepared` and `ended`. */
  readonly changes = new EventEmitter().setMaxListeners(0);
  private server: EventStoreDbServer | null = null;
  private isUp = false;
  private isPaused = false;
  private readonly times: ClusterTimes;

  constructor(times: ClusterTimes) {
    this.times = times;
  }

  get up(): boolean {
    return this.isUp;
  }

  get paused(): boolean {
    return this.isPaused;
  }

  get running(): boolean {
    return this.isUp && !this.isPaused;
  }

  /** The connection string of this node only, for a client without TLS. */
  get connection(): string {
    return toConnectionString(this.port);
  }

  get self(): GossipedMember {
    return { port: this.port, state: GOSSIP_STATES[this.role], isAlive: true };
  }

  async start(): Promise<void> {
    if (this.isUp) return;
    [this.isUp, this.isPaused, this.role, this.leader] = [true, false, 'unknown', null];
    await this.listen();
  }

  /** Kills the node and resets its connections. Its log remains. */
  kill(): void {
    this.closeServer();
    [this.isUp, this.isPaused, this.role, this.leader] = [false, false, 'unknown', null];
    this.changes.emit('ended');
  }

  pause(): void {
    this.isPaused = this.isUp;
  }

  continue(): void {
    this.isPaused = false;
    this.changes.emit('woken');
  }

  /** Listens for clients on the same port as before. */
  async listen(): Promise<void> {
    if (this.server !== null) return;
    this.server = await EventStoreDbServer.start({ port: this.port, member: this });
    this.port = this.server.port;
    if (!this.isUp) this.closeServer();
  }

  /** Closes the connections of all clients and refuses new ones. */
  closeServer(): void {
    this.server?.stop();
    this.server = null;
  }

  async waitWhilePaused(): Promise<void> {
    while (this.isPaused) await Promise.race([once(this.changes, 'woken'), once(this.changes, 'ended')]);
    if (!this.isUp) throw createUnavailableError();
  }

  checkRole(requiresLeader: boolean): void {
    if (this.role === 'unknown' || this.role === 'ending') throw createUnavailableError();
    if (requiresLeader && this.role === 'follower') throw createNotLeaderError(this.leader!.port);
  }

  /**
   * Resolves once a majority has the events. After a timeout they stay in the log and may be committed or truncated
   * later.
   */
  async append(stream: string, expected: number | null, proposed: readonly ProposedEvent[]): Promise<AppendOutcome> {
    if (this.role !== 'leader') throw createUnavailableError();
    const written = this.log.prepare(stream, expected, proposed);
    if ('wrong' in written || written.last === null) return written;
    this.changes.emit('prepared');
    const isCommitted = await this.waitForCommit(written.last.index);
    await this.waitWhilePaused();
    if (!isCommitted || this.log.findEvent(written.last.index) !== written.last) throw createCommitTimeoutError();
    return written;
  }

  async gossip(): Promise<readonly GossipedMember[]> {
    if (this.gossipDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.gossipDelayMs));
    await this.waitWhilePaused();
    return this.gossipOverride?.() ?? [this.self, ...this.known.values()];
  }

  private async waitForCommit(index: number): Promise<boolean> {
    const timeout = AbortSignal.timeout(this.times.commitTimeoutMs);
    try {
      while (this.log.all.length <= index) await once(this.changes, 'committed', { signal: timeout });
      return true;
    } catch {
      return false;
    }
  }
}
