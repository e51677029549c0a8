import type { ClusterNode } from './node.ts';
import type { ClusterTimes } from './times.ts';

/** Tracks which nodes are connected and the latest state that each node knows of the others. */
export class Membership {
  private readonly nodes: readonly ClusterNode[];
  private readonly times: ClusterTimes;
  private readonly silentMs = new Map<ClusterNode, Map<ClusterNode, number>>();
  private sinceGossipMs = 0;

  constructor(nodes: readonly ClusterNode[], times: ClusterTimes) {
    this.nodes = nodes;
    this.times = times;
    for (const node of nodes) this.silentMs.set(node, new Map());
  }

  /** The nodes that are connected to each other. */
  get connectedNodes(): ClusterNode[] {
    return this.nodes.filter((node) => node.running && !node.isIsolated);
  }

  areConnected(one: ClusterNode, other: ClusterNode): boolean {
    return one.running && other.running && !one.isIsolated && !other.isIsolated;
  }

  /** Whether `node` considers `peer` lost: at once if it is down, after a while if it is silent. */
  considersLost(node: ClusterNode, peer: ClusterNode): boolean {
    return !peer.up || this.getSilenceMs(node, peer) >= this.times.silenceMs;
  }

  /** Advances the time of every node that is not paused. */
  advance(ms: number): void {
    for (const node of this.nodes.filter(({ running }) => running)) {
      for (const peer of this.excludeNode(node)) {
        this.silentMs.get(node)!.set(peer, this.areConnected(node, peer) ? 0 : this.getSilenceMs(node, peer) + ms);
      }
    }
    this.sinceGossipMs += ms;
    if (this.sinceGossipMs < this.times.gossipMs) return;
    this.sinceGossipMs = 0;
    for (const node of this.nodes.filter(({ running }) => running)) this.gossip(node);
  }

  private gossip(node: ClusterNode): void {
    for (const peer of this.excludeNode(node)) {
      const last = node.known.get(peer) ?? peer.self;
      if (this.areConnected(node, peer)) node.known.set(peer, peer.self);
      else node.known.set(peer, { ...last, isAlive: last.isAlive && !this.considersLost(node, peer) });
    }
  }

  private getSilenceMs(node: ClusterNode, peer: ClusterNode): number {
    return this.silentMs.get(node)!.get(peer) ?? 0;
  }

  private excludeNode(node: ClusterNode): ClusterNode[] {
    return this.nodes.filter((each) => each !== node);
  }
}
