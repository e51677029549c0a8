import { type EventStoreDbStores, openEventStoreDb } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { DatabaseLog } from '../../support/eventstoredb/log.js';
import { SingleNode } from '../../support/eventstoredb/member.js';
import { type GossipedMember, NodeState } from '../../support/eventstoredb/messages.js';
import { EventStoreDbServer } from '../../support/eventstoredb/server.js';

/** A node that names the leader that the test chooses. */
export class NamingNode extends SingleNode {
  server!: EventStoreDbServer;
  /** Null: the node knows no leader. */
  named: NamingNode | null = null;
  /** The delay before the node responds to gossip. */
  gossipAfter: Promise<unknown> = Promise.resolve();

  override async gossip(): Promise<readonly GossipedMember[]> {
    await this.gossipAfter;
    const self = { port: this.server.port, state: NodeState.FOLLOWER, isAlive: true };
    return this.named === null ? [self] : [{ port: this.named.server.port, state: NodeState.LEADER, isAlive: true }];
  }
}

/** Independent nodes with a log each, and stores that use them as one cluster. */
export class NamedNodes {
  private constructor(readonly nodes: readonly NamingNode[]) {}

  private readonly stores: EventStoreDbStores[] = [];

  static async start(count: number): Promise<NamedNodes> {
    const nodes = Array.from({ length: count }, () => new NamingNode(new DatabaseLog(), () => 0));
    for (const node of nodes) node.server = await EventStoreDbServer.start({ member: node });
    return new NamedNodes(nodes);
  }

  nameLeader(leader: NamingNode | null): void {
    for (const node of this.nodes) node.named = leader;
  }

  store(options: { readonly deadlineMs?: number; readonly query?: string } = {}) {
    const hosts = this.nodes.map(({ server }) => `127.0.0.1:${server.port}`).join(',');
    const connection = `esdb://${hosts}?tls=false&discoveryInterval=10${options.query ?? ''}`;
    const store = openEventStoreDb({ connection, deadlineMs: options.deadlineMs ?? 2_000 });
    this.stores.push(store);
    return store.events;
  }

  async close(): Promise<void> {
    await Promise.all(this.stores.map((store) => store.close()));
    for (const { server } of this.nodes) server.stop();
  }
}

/** Starts nodes before each test and closes them after it. */
export function eachNodes(count: number): { readonly current: NamedNodes } {
  let nodes: NamedNodes;
  beforeEach(async () => {
    nodes = await NamedNodes.start(count);
  });
  afterEach(() => nodes.close());
  return {
    get current() {
      return nodes;
    },
  };
}

/** Polls until the condition holds. */
export async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}
