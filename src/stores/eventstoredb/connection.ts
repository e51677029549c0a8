import { EventStoreDBClient, type AllStreamSubscription, type StreamingRead } from '@eventstore/db-client';
import type { Clock } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Address } from './address.js';
import { isAnswer, isElsewhere, isRefusal, isSilence, Overdue, unavailable } from './failures.js';

/** The client counts a call's time itself, save while it looks for the cluster or is lost in a closed channel. */
const GRACE_MS = 500;

type Work<T> = (client: EventStoreDBClient) => Promise<T>;

/** One client and the end of its use: nothing that failed is kept by the next one. */
interface Link {
  readonly client: EventStoreDBClient;
  readonly hangs: AbortController;
  used: boolean;
}

export interface Subscribed {
  readonly subscription: AllStreamSubscription;
  /** Aborts when its connection is found to hang, and when the store is closed. */
  readonly hangs: AbortSignal;
  /** It failed: the next one begins on another connection. */
  lost(): void;
}

/** The way to the store. Calls have a deadline; what fails is repeated by the caller, over a new connection. */
export class Connection {
  private link: Link;
  private isOpen = true;

  constructor(
    private readonly address: Address,
    private readonly clock: Clock,
    private readonly deadlineMs: number,
  ) {
    this.link = this.linked();
  }

  get open(): boolean {
    return this.isOpen;
  }

  /** What each call is made with. Credentials in the call make an append unary, with an answer or an error of its own. */
  get call() {
    const { credentials } = this.address;
    return { ...(credentials && { credentials }), deadline: this.deadlineMs };
  }

  /** @param right what the store's user needs for it, in words */
  write<T>(work: Work<T>, right: string): Promise<T> {
    return this.within(work, true, right);
  }

  /** The whole of a bounded read. */
  async read<E>(ask: (client: EventStoreDBClient) => StreamingRead<E>, right: string): Promise<E[]> {
    let asked: StreamingRead<E> | undefined;
    try {
      return await this.within((client) => collected((asked = ask(client))), false, right);
    } catch (error) {
      asked?.cancel().catch(ignored);
      throw error;
    }
  }

  subscribe(ask: (client: EventStoreDBClient) => AllStreamSubscription): Subscribed {
    const link = this.inUse();
    return { subscription: ask(link.client), hangs: link.hangs.signal, lost: () => this.leave(link, false) };
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.link.hangs.abort();
    await this.link.client.dispose();
    shut(this.link);
  }

  private async within<T>(work: Work<T>, writes: boolean, right: string): Promise<T> {
    const link = this.inUse();
    try {
      return await this.answer(link, work);
    } catch (error) {
      if (isAnswer(error)) throw error;
      if (!isElsewhere(error) && !isRefusal(error)) this.leave(link, isSilence(error));
      throw unavailable(error, writes, right);
    }
  }

  private async answer<T>({ client }: Link, work: Work<T>): Promise<T> {
    try {
      return await this.inTime(work(client));
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      // The node has done nothing but say who leads, and the client turns to that one now.
      return this.inTime(work(client));
    }
  }

  private async inTime<T>(answer: Promise<T>): Promise<T> {
    const answered = new AbortController();
    try {
      return await Promise.race([answer, this.overdue(answered.signal)]);
    } finally {
      // With a reason of its own: the default one is an error, and its stack costs more than the rest of this.
      answered.abort('answered');
    }
  }

  private inUse(): Link {
    if (!this.isOpen) throw closed();
    this.link.used = true;
    return this.link;
  }

  private async overdue(answered: AbortSignal): Promise<never> {
    await this.clock.sleep(this.deadlineMs + GRACE_MS, answered);
    if (answered.aborted) return new Promise<never>(() => undefined);
    throw new Overdue(this.deadlineMs);
  }

  /** The client keeps a failed search for the cluster for ever, so it goes with the connection. Calls under way on it may end. */
  private leave(link: Link, hangs: boolean): void {
    if (hangs) link.hangs.abort();
    if (link !== this.link || !this.isOpen) return;
    this.link = this.linked();
    // Of other failures the client has closed its channel itself.
    if (hangs) shut(link);
  }

  private linked(): Link {
    return { client: clientOf(this.address), hangs: new AbortController(), used: false };
  }
}

function clientOf({ connection, credentials }: Address): EventStoreDBClient {
  try {
    const client = EventStoreDBClient.connectionString(connection);
    // Who is known by a certificate sends no credentials: without the offer of batches an append is unary for them too.
    return credentials === null ? Object.assign(client, { supports: () => Promise.resolve(false) }) : client;
  } catch (error) {
    // What the client's parser says quotes the text, with the password in it.
    if (error instanceof Error && !('connectionString' in error)) throw error;
    throw new Error('the connection string cannot be read');
  }
}

function collected<E>(asked: StreamingRead<E>): Promise<E[]> {
  return new Promise((resolve, reject) => {
    const events: E[] = [];
    asked.on('data', (event: E) => events.push(event));
    asked.on('end', () => resolve(events));
    asked.on('error', reject);
  });
}

/** The client has no way to close its channel, and makes one to begin with for whoever asks. */
function shut({ client, used }: Link): void {
  if (used) client['getChannel']().then((channel) => channel.close(), ignored);
}

function closed(): StoreUnavailable {
  return new StoreUnavailable('EventStoreDB: the store has been closed', false);
}

function ignored(): void {}
