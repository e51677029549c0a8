import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  START,
  StreamNotFoundError,
  type AllStreamSubscription,
  type AppendResult,
  type JSONEventType,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { Cluster } from './cluster.ts';
import type { ClusterTimes } from './times.ts';

/** Appends are calls of their own; an open connection does not send these. */
const UNARY = { credentials: { username: '', password: '' } };
const DEADLINE_MS = 3_000;

/** The bare client of one node or of all, as any service has it. */
export class TestClient {
  private readonly client: EventStoreDBClient;

  constructor(connection: string) {
    this.client = EventStoreDBClient.connectionString(connection);
  }

  append(stream: string, after: number, text: string, requiresLeader = true): Promise<AppendResult> {
    const expectedRevision = after < 0 ? NO_STREAM : BigInt(after);
    const event = jsonEvent({ type: 'Noted', data: { text } });
    return this.client.appendToStream(stream, event, { ...UNARY, expectedRevision, requiresLeader, deadline: DEADLINE_MS });
  }

  /** The texts of a stream; empty when there is no such stream. */
  async texts(stream: string, requiresLeader = true): Promise<string[]> {
    try {
      return await textsOf(this.client.readStream(stream, { requiresLeader, deadline: DEADLINE_MS }));
    } catch (error) {
      if (error instanceof StreamNotFoundError) return [];
      throw error;
    }
  }

  /** The last event of the log. */
  async head(): Promise<{ readonly commit: bigint; readonly prepare: bigint }> {
    const last = this.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true, deadline: DEADLINE_MS });
    let head = { commit: 0n, prepare: 0n };
    for await (const { event } of last) head = event!.position;
    return head;
  }

  subscribe(after?: { readonly commit: bigint; readonly prepare: bigint }): AllStreamSubscription {
    const subscription = this.client.subscribeToAll({ fromPosition: after ?? START });
    subscription.on('error', () => undefined);
    return subscription;
  }

  /** What is under way fails. The client waits for ever for what has failed before. */
  close(): void {
    this.client.dispose().catch(() => undefined);
  }
}

async function textsOf(events: AsyncIterable<ResolvedEvent<JSONEventType<'Noted', { text: string }>>>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { event } of events) texts.push(event!.data.text);
  return texts;
}

export interface ClusterTest {
  readonly cluster: Cluster;
  /** Of one node, or of all. */
  client(connection?: string): TestClient;
}

/** Starts a cluster before each test and closes it afterwards, with its clients. */
export function eachCluster(times?: ClusterTimes): ClusterTest {
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
    client(connection = cluster.connection) {
      const client = new TestClient(connection);
      clients.push(client);
      return client;
    },
  };
}
