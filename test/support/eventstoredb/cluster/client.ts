import {
  type AllStreamSubscription,
  type AppendResult,
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  type JSONEventType,
  NO_STREAM,
  type ResolvedEvent,
  START,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { Cluster } from './cluster.ts';
import type { ClusterTimes } from './times.ts';

/** Credentials make the client send each append as a unary call. */
const UNARY = { credentials: { username: '', password: '' } };
const DEADLINE_MS = 3_000;

/** The plain EventStoreDB client, connected to one node or to all. */
export class TestClient {
  private readonly client: EventStoreDBClient;

  constructor(connection: string) {
    this.client = EventStoreDBClient.connectionString(connection);
  }

  append(stream: string, after: number, text: string, requiresLeader = true): Promise<AppendResult> {
    const expectedRevision = after < 0 ? NO_STREAM : BigInt(after);
    const event = jsonEvent({ type: 'Noted', data: { text } });
    return this.client.appendToStream(stream, event, {
      ...UNARY,
      expectedRevision,
      requiresLeader,
      deadline: DEADLINE_MS,
    });
  }

  /** Returns the texts of a stream; empty when the stream does not exist. */
  async readTexts(stream: string, requiresLeader = true): Promise<string[]> {
    try {
      return await collectTexts(this.client.readStream(stream, { requiresLeader, deadline: DEADLINE_MS }));
    } catch (error) {
      if (error instanceof StreamNotFoundError) return [];
      throw error;
    }
  }

  /** Returns the position of the last event of the log. */
  async readHead(): Promise<{ readonly commit: bigint; readonly prepare: bigint }> {
    const last = this.client.readAll({
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: 1,
      requiresLeader: true,
      deadline: DEADLINE_MS,
    });
    let head = { commit: 0n, prepare: 0n };
    for await (const { event } of last) head = event!.position;
    return head;
  }

  subscribe(after?: { readonly commit: bigint; readonly prepare: bigint }): AllStreamSubscription {
    const subscription = this.client.subscribeToAll({ fromPosition: after ?? START });
    subscription.on('error', () => undefined);
    return subscription;
  }

  /** Aborts all calls in progress. `dispose` may never resolve after an earlier failure, so it is not awaited. */
  close(): void {
    this.client.dispose().catch(() => undefined);
  }
}

async function collectTexts(
  events: AsyncIterable<ResolvedEvent<JSONEventType<'Noted', { text: string }>>>,
): Promise<string[]> {
  const texts: string[] = [];
  for await (const { event } of events) texts.push(event!.data.text);
  return texts;
}

export interface ClusterFixture {
  readonly cluster: Cluster;
  /** Creates a client of one node or, by default, of all nodes. */
  createClient(connection?: string): TestClient;
}

/** Starts a cluster before each test and closes it afterwards, with its clients. */
export function setUpCluster(times?: ClusterTimes): ClusterFixture {
  let cluster: Cluster;
  let clients: TestClient[];
  beforeEach(async () => {
    [cluster, clients] = [await Cluster.start(times), []];
  });
  afterEach(() => {
    for (const client of clients) client.close();
    cluster.close();
  });
  return {
    get cluster() {
      return cluster;
    },
    createClient(connection = cluster.connection) {
      const client = new TestClient(connection);
      clients.push(client);
      return client;
    },
  };
}
