import type { Clock } from '../../kernel/clock.js';
import { Link } from './link.js';
import { NodeClient, type Node, type NodeOptions } from './node-client.js';
import { nameOf, Search } from './search.js';
import type { Address } from './address.js';

/** How long a failed node is avoided while the search may find another one. */
const AVOIDED_MS = 500;
/** The time limit of one search for a new leader while a node does not respond. */
const LOOK_MS = 1_000;

/** Opens links to the only node, or to the leader of a cluster. */
export class Links {
  private opening: Promise<Link> | null = null;
  private open: Link | null = null;
  private readonly search: Search | null;
  private look: Promise<Node | null> | null = null;
  private isClosed = false;
  private readonly avoided = new Map<string, number>();

  constructor(
    private readonly address: Address,
    private readonly clock: Clock,
  ) {
    const dial = (node: Node) => clientOf(node, address.client);
    this.search = address.isCluster ? new Search(address.nodes, dial, address.search, clock) : null;
  }

  /** Returns the shared link until it is retired. @throws when no leader is found */
  current(): Promise<Link> {
    return (this.opening ??= this.begin());
  }

  /** Retires the link, so that the next call uses another one. */
  leave(link: Link): void {
    if (link.left.aborted) return;
    this.avoided.set(nameOf(link.node), this.clock.monotonic() + AVOIDED_MS);
    this.forget(link);
    link.leave();
  }

  /** Replaces the link by one to the leader that the node has named. */
  turn(link: Link, leader: Node): void {
    const isCurrent = this.open === link;
    this.forget(link);
    link.leave();
    if (isCurrent) this.opening = Promise.resolve(this.opened(leader));
  }

  /** Closes the open link; running calls fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.open === null) return;
    this.open.leave();
    await this.open.client.dispose();
    this.open.client.shut();
  }

  /**
   * Returns whether the cluster has another leader than the node of this link. Concurrent callers share one search.
   */
  async isReplaced(link: Link): Promise<boolean> {
    if (this.search === null) return false;
    // Another call has already found the new leader.
    if (link.left.aborted) return true;
    const leader = await (this.look ??= this.search.leaderNow(LOOK_MS).finally(() => (this.look = null)));
    return leader !== null && nameOf(leader) !== nameOf(link.node);
  }

  private async begin(): Promise<Link> {
    try {
      const [only] = this.address.nodes;
      return this.opened(this.search === null ? only! : await this.search.leader((node) => this.isAvoided(node)));
    } catch (error) {
      this.opening = null;
      throw error;
    }
  }

  private opened(node: Node): Link {
    if (this.isClosed) throw new Error('No connection established: the store is closed');
    return (this.open = new Link(node, clientOf(node, this.address.client)));
  }

  private forget(link: Link): void {
    if (this.open === link) [this.open, this.opening] = [null, null];
  }

  private isAvoided(node: Node): boolean {
    return (this.avoided.get(nameOf(node)) ?? -Infinity) > this.clock.monotonic();
  }
}

function clientOf(node: Node, options: NodeOptions): NodeClient {
  return new NodeClient(node, options);
}
