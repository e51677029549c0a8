import { DatabaseLog } from '../log.ts';
import type { ClusterNode } from './node.ts';

/** Returns the length of the common prefix of two logs. */
export function findCommonLength(one: DatabaseLog, other: DatabaseLog): number {
  let [low, high] = [0, Math.min(one.length, other.length)];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (one.findEvent(middle - 1) === other.findEvent(middle - 1)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Replicates prepared events from the leader to its followers, in order, and commits the events that a majority has.
 */
export class Replication {
  /** All events that any leader has committed; no node may lose them. */
  readonly committed = new DatabaseLog();
  private readonly nodes: readonly ClusterNode[];
  private readonly scheduled = new Set<ClusterNode>();

  constructor(nodes: readonly ClusterNode[]) {
    this.nodes = nodes;
    for (const node of nodes) node.changes.on('prepared', () => this.scheduleAll(node));
  }

  get majority(): number {
    return (this.nodes.length >>> 1) + 1;
  }

  /** Schedules replication to all followers of this leader. */
  scheduleAll(leader: ClusterNode): void {
    for (const node of this.findFollowers(leader)) this.schedule(node);
  }

  /** Schedules replication to every follower that lags. */
  catchUp(): void {
    for (const node of this.nodes) {
      const { leader } = node;
      if (leader !== null && (node.log.length < leader.log.length || node.log.all.length < leader.log.all.length))
        this.schedule(node);
    }
  }

  /** Returns the connected nodes that follow this leader. */
  findFollowers(leader: ClusterNode): ClusterNode[] {
    if (!leader.running || leader.isIsolated) return [];
    return this.nodes.filter(
      (node) => node.leader === leader && node.role === 'follower' && node.running && !node.isIsolated,
    );
  }

  private schedule(follower: ClusterNode): void {
    if (this.scheduled.has(follower)) return;
    this.scheduled.add(follower);
    const send = () => {
      this.scheduled.delete(follower);
      this.send(follower);
    };
    if (follower.lagMs > 0) setTimeout(send, follower.lagMs);
    else setImmediate(send);
  }

  private send(follower: ClusterNode): void {
    const { leader } = follower;
    if (leader === null || !this.findFollowers(leader).includes(follower)) return;
    const before = leader.log.all.length;
    while (follower.log.length < leader.log.length)
      follower.log.appendReplicated(leader.log.findEvent(follower.log.length)!);
    this.commit(leader);
    follower.log.commit(Math.min(before, follower.log.length));
    if (follower.log.all.length < leader.log.all.length) this.scheduleAll(leader);
  }

  /** Commits the events that a majority has, once they include an event of the leader's own term. */
  private commit(leader: ClusterNode): void {
    const lengths = [leader, ...this.findFollowers(leader)]
      .map(({ log }) => log.length)
      .sort((one, other) => other - one);
    const length = lengths[this.majority - 1] ?? 0;
    if (length <= leader.log.all.length || leader.log.findEvent(length - 1)!.epoch !== leader.epoch) return;
    leader.log.commit(length);
    this.recordCommitted(leader.log);
    leader.changes.emit('committed');
  }

  private recordCommitted({ all }: DatabaseLog): void {
    const { committed } = this;
    const both = Math.min(all.length, committed.length);
    if (all[both - 1] !== committed.findEvent(both - 1))
      throw new Error('the cluster has committed two different logs');
    for (const event of all.slice(committed.length)) committed.appendReplicated(event);
    committed.commit(all.length);
  }
}
