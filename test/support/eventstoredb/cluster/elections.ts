import type { Membership } from './membership.ts';
import type { ClusterNode } from './node.ts';
import { findCommonLength, type Replication } from './replication.ts';
import type { ClusterTimes } from './times.ts';

const EPOCH_STREAM = '$epoch-information';

export interface Election {
  readonly leader: ClusterNode;
  readonly epoch: number;
  /** The time of the election by `performance.now()`. */
  readonly at: number;
}

/**
 * Simulates elections: nodes notice a lost leader, a majority elects the node with the longest log, and a deposed
 * leader learns of the new leader late.
 */
export class Elections {
  readonly past: Election[] = [];
  private readonly membership: Membership;
  private readonly replication: Replication;
  private readonly times: ClusterTimes;
  private readonly restart: (node: ClusterNode) => void;
  /** The time that each leader has been without a majority. */
  private readonly withoutMajorityMs = new Map<ClusterNode, number>();
  private readonly deposedMs = new Map<ClusterNode, number>();
  private electingMs: number;
  private epoch = 0;

  /** @param restart starts a node again after it ended itself */
  constructor(
    membership: Membership,
    replication: Replication,
    times: ClusterTimes,
    restart: (node: ClusterNode) => void,
  ) {
    this.membership = membership;
    this.replication = replication;
    this.times = times;
    this.restart = restart;
    // The first election does not wait for the loss of a leader.
    this.electingMs = times.electionMs;
  }

  /** The node that leads and is followed by a majority. */
  get leader(): ClusterNode | null {
    return this.membership.connectedNodes.find((node) => node.role === 'leader' && this.hasMajority(node)) ?? null;
  }

  /** Advances the time of the nodes that are not paused. */
  advance(ms: number, running: readonly ClusterNode[]): void {
    for (const node of running) {
      if (node.role === 'leader') this.updateLeader(node, ms);
      else if (node.role === 'follower' && this.hasLostLeader(node)) [node.role, node.leader] = ['unknown', null];
    }
    this.followLatestLeader(ms);
    this.elect(ms);
  }

  private updateLeader(node: ClusterNode, ms: number): void {
    const aloneMs = this.hasMajority(node) ? 0 : (this.withoutMajorityMs.get(node) ?? 0) + ms;
    this.withoutMajorityMs.set(node, aloneMs);
    if (aloneMs >= this.times.resignMs) this.resign(node);
  }

  private hasMajority(leader: ClusterNode): boolean {
    return this.replication.findFollowers(leader).length + 1 >= this.replication.majority;
  }

  private hasLostLeader(follower: ClusterNode): boolean {
    const leader = follower.leader!;
    if (this.membership.considersLost(follower, leader)) return true;
    return (
      this.membership.areConnected(follower, leader) && (leader.epoch !== follower.epoch || leader.role === 'unknown')
    );
  }

  /** Lets every node follow the leader of the latest term; a deposed leader follows it only after a while. */
  private followLatestLeader(ms: number): void {
    const { connectedNodes } = this.membership;
    const latest = findLatestEpoch(connectedNodes);
    const leader = connectedNodes.find((node) => node.role === 'leader' && node.epoch === latest);
    if (leader === undefined) return;
    for (const node of connectedNodes.filter((each) => each !== leader)) {
      if (node.role === 'unknown') this.follow(node, leader);
      if (node.role !== 'leader') continue;
      const believedMs = (this.deposedMs.get(node) ?? 0) + ms;
      this.deposedMs.set(node, believedMs);
      if (believedMs >= this.times.deposedMs) this.follow(node, leader);
    }
  }

  private elect(ms: number): void {
    const { connectedNodes } = this.membership;
    const latest = findLatestEpoch(connectedNodes);
    const isLed = connectedNodes.some(
      (node) => node.role === 'follower' || node.role === 'ending' || (node.role === 'leader' && node.epoch === latest),
    );
    this.electingMs = isLed || connectedNodes.length < this.replication.majority ? 0 : this.electingMs + ms;
    if (this.electingMs < this.times.electionMs) return;
    this.electingMs = 0;
    this.installLeader(
      connectedNodes.reduce((best, node) => (isAhead(node, best) ? node : best)),
      connectedNodes,
    );
  }

  private installLeader(leader: ClusterNode, party: readonly ClusterNode[]): void {
    const epoch = (this.epoch = this.epoch + 1);
    [leader.role, leader.leader, leader.epoch, leader.log.epoch] = ['leader', null, epoch, epoch];
    this.withoutMajorityMs.set(leader, 0);
    this.deposedMs.set(leader, 0);
    leader.log.prepareSystemEvent(EPOCH_STREAM, EPOCH_STREAM);
    for (const node of party) if (node !== leader) this.follow(node, leader);
    this.past.push({ leader, epoch, at: performance.now() });
    leader.changes.emit('prepared');
  }

  /**
   * Makes a node a follower. A node with events that the leader lacks ends itself and truncates them at its restart.
   */
  private follow(node: ClusterNode, leader: ClusterNode): void {
    const common = findCommonLength(node.log, leader.log);
    if (common < node.log.length) return this.endToTruncate(node, common);
    [node.role, node.leader, node.epoch] = ['follower', leader, leader.epoch];
    leader.changes.emit('prepared');
  }

  private endToTruncate(node: ClusterNode, length: number): void {
    node.kill();
    node.log.truncate(length);
    this.restart(node);
  }

  private resign(node: ClusterNode): void {
    [node.role, node.leader] = ['unknown', null];
    this.withoutMajorityMs.set(node, 0);
  }
}

function findLatestEpoch(party: readonly ClusterNode[]): number {
  return Math.max(0, ...party.map(({ epoch }) => epoch));
}

/** Compares the term of the last events, then the lengths of the logs. */
function isAhead(one: ClusterNode, other: ClusterNode): boolean {
  const [ofOne, ofOther] = [one, other].map(({ log }) => log.findEvent(log.length - 1)?.epoch ?? 0) as [number, number];
  return ofOne === ofOther ? one.log.length > other.log.length : ofOne > ofOther;
}
