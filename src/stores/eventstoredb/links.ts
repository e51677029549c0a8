import type { Clock } from '../../kernel/clock.js';
import type { ConnectionConfig } from './connection-string.js';
import { LeaderSearch, nodeNameOf } from './leader-search.js';
import { Link } from './link.js';
import { type Node, NodeClient, type NodeOptions } from './node-client.js';

/** How long a failed node is avoided while the search may find another one. */
const AVOIDED_MS = 500;
/** The time limit of one search for a new leader while a node does not respond. */
const LEADER_SEARCH_MS = 1_000;

/** Opens links to the only node, or to the leader of a cluster. */
export class Links {
  private opening: Promise<Link> | null = null;
  private open: Link | null = null;
  private readonly search: LeaderSearch | null;
  private leaderSearch: Promise<Node | null> | null = null;
  private isClosed = false;
  private readonly avoided = new Map<string, number>();

  constructor(
    private readonly config: ConnectionConfig,
    private readonly clock: Clock,
  ) {
    const dial = (node: Node) => createClient(node, config.client);
    this.search = config.isCluster ? new LeaderSearch(config.nodes, dial, config.search, clock) : null;
  }

  /** Returns the shared link until it is retired. @throws when no leader is found */
  getCurrent(): Promise<Link> {
    return (this.opening ??= this.openLink());
  }

  /** Retires the link, so that the next call uses another one. */
  retire(link: Link): void {
    if (link.retired.aborted) return;
    this.avoided.set(nodeNameOf(link.node), this.clock.monotonic() + AVOIDED_MS);
    this.removeLink(link);
    link.retire();
  }

  /** Replaces the link by one to the leader that the node has named. */
  redirect(link: Link, leader: Node): void {
    const isCurrent = this.open === link;
    this.removeLink(link);
    link.retire();
    if (isCurrent) this.opening = Promise.resolve(this.createLink(leader));
  }

  /** Closes the open link; running calls fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.open === null) return;
    this.open.retire();
    await this.open.client.dispose();
    this.open.client.closeChannel();
  }

  /**
   * Returns whether the cluster has another leader than the node of this link. Concurrent callers share one search.
   */
  async isReplaced(link: Link): Promise<boolean> {
    if (this.search === null) return false;
    // Another call has already found the new leader.
    if (link.retired.aborted) return true;
    const leader = await (this.leaderSearch ??= this.search
      .findLeaderOnce(LEADER_SEARCH_MS)
      .finally(() => (this.leaderSearch = null)));
    return leader !== null && nodeNameOf(leader) !== nodeNameOf(link.node);
  }

  private async openLink(): Promise<Link> {
    try {
      const [only] = this.config.nodes;
      return this.createLink(
        this.search === null ? only! : await this.search.findLeader((node) => this.isAvoided(node)),
      );
    } catch (error) {
      this.opening = null;
      throw error;
    }
  }

  private createLink(node: Node): Link {
    if (this.isClosed) throw new Error('No connection established: the store is closed');
    return (this.open = new Link(node, createClient(node, this.config.client)));
  }

  private removeLink(link: Link): void {
    if (this.open === link) [this.open, this.opening] = [null, null];
  }

  private isAvoided(node: Node): boolean {
    return (this.avoided.get(nodeNameOf(node)) ?? -Infinity) > this.clock.monotonic();
  }
}

function createClient(node: Node, options: NodeOptions): NodeClient {
  return new NodeClient(node, options);
}
