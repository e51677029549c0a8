import type { Clock } from '../../kernel/clock.js';
import type { Node, NodeClient } from './node-client.js';

/** How long the other nodes have to respond after one node has named a leader, or most nodes have named no leader. */
const SECOND_OPINION_MS = 300;

/** The number of attempts, the interval and the timeout of the search for the leader. */
export interface SearchOptions {
  readonly attempts: number;
  readonly intervalMs: number;
  readonly gossipMs: number;
}

/**
 * Finds the leader of a cluster. It asks all known nodes and takes the one that most of them name: a leader that was
 * deposed while it was paused still names itself.
 */
export class LeaderSearch {
  /** The nodes of the last gossip response. */
  private members: readonly Node[] = [];

  constructor(
    private readonly seeds: readonly Node[],
    private readonly createClient: (node: Node) => NodeClient,
    private readonly options: SearchOptions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param isAvoided true for a node that has just failed: such a node is accepted only in the last attempt
   * @throws when no attempt finds a leader
   */
  findLeader(isAvoided: (node: Node) => boolean): Promise<Node> {
    return this.withClients((clients) => this.search(clients, isAvoided));
  }

  /** Asks the nodes once. @returns null when no node responds in time, or no leader is named */
  findLeaderOnce(withinMs: number): Promise<Node | null> {
    return this.withClients((clients) => this.findMostNamed(clients, withinMs));
  }

  private async withClients<T>(ask: (clients: readonly NodeClient[]) => Promise<T>): Promise<T> {
    const known = new Map([...this.seeds, ...this.members].map((node) => [nodeNameOf(node), node]));
    const clients = [...known.values()].map(this.createClient);
    try {
      return await ask(clients);
    } finally {
      for (const client of clients) client.closeChannel();
    }
  }

  private async search(clients: readonly NodeClient[], isAvoided: (node: Node) => boolean): Promise<Node> {
    const { attempts, intervalMs, gossipMs } = this.options;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const named = await this.findMostNamed(clients, gossipMs);
      if (named !== null && (attempt === attempts || !isAvoided(named))) return named;
      if (attempt < attempts) await this.clock.sleep(intervalMs);
    }
    throw new Error(`Failed to discover the leader after ${attempts} attempts.`);
  }

  /**
   * Returns the node that more than half of the nodes name, or most of those that respond soon. It does not wait for
   * silent nodes.
   */
  private async findMostNamed(clients: readonly NodeClient[], deadline: number): Promise<Node | null> {
    const votes = new VoteCounter();
    const { promise: decided, resolve: decide } = Promise.withResolvers<void>();
    const over = new AbortController();
    let answers = 0;
    const asked = clients.map(async (client) => {
      // A node that is down names no leader.
      const members = await client.readMembers({ deadline }).catch(() => []);
      if (members.length > 0) {
        this.members = members.map(({ node }) => node);
        answers++;
      }
      for (const { node, isLeader } of members) if (isLeader) votes.add(node);
      if (votes.highest * 2 > clients.length) decide();
      else if (votes.highest > 0 || answers * 2 > clients.length)
        void this.clock.sleep(SECOND_OPINION_MS, over.signal).then(decide);
    });
    void Promise.all(asked).then(() => decide());
    await decided;
    over.abort('decided');
    return votes.winner;
  }
}

class VoteCounter {
  highest = 0;
  winner: Node | null = null;
  private readonly counts = new Map<string, number>();

  add(node: Node): void {
    const count = (this.counts.get(nodeNameOf(node)) ?? 0) + 1;
    this.counts.set(nodeNameOf(node), count);
    if (count > this.highest) [this.highest, this.winner] = [count, node];
  }
}

export function nodeNameOf({ address, port }: Node): string {
  return `${address}:${port}`;
}
