import type { AllStreamSubscription, EventStoreDBClient, StreamingRead } from '@eventstore/db-client';
import { BACKWARDS, END } from '@eventstore/db-client';
import type { Clock } from '../../kernel/clock.js';
import { type ExpectedRevision, StoreUnavailable } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import { type AppendResponse, type ExpectedOrAny, parseAppendResponse, toAppendMessages } from './append-messages.js';
import { Call, collect, once } from './calls.js';
import type { ConnectionConfig } from './connection-string.js';
import type { ProposedEvent } from './events.js';
import {
  CallTimeout,
  findLeader,
  isNotLeader,
  isPermanent,
  LeaderReplaced,
  LinkRetired,
  needsOperator,
  PositionNotReached,
  StaleNode,
  toUnavailable,
} from './failures.js';
import type { Link } from './link.js';
import { Links } from './links.js';
import { isKnown, type LogPosition, toPosition } from './positions.js';

/** The client limits the time of a call itself, except for the search for the leader and for reads. */
const GRACE_MS = 500;
/** After this time without a response the cluster is asked whether another node is its leader. */
const LEADER_CHECK_MS = 1_500;
/** How many redirects to another leader one call follows. */
const MAX_REDIRECTS = 3;
/** The delay before the search for a replacement of a stale node. */
const STALE_NODE_DELAY_MS = 50;

type Work<T> = (link: Link) => Promise<T>;

/** The part of an event that holds its position. */
interface PositionedEvent {
  readonly event?: { readonly position?: LogPosition | undefined } | undefined;
}

export interface LogSubscription {
  readonly subscription: AllStreamSubscription;
  /** Aborts when its link is retired or the store is closed. */
  readonly retired: AbortSignal;
  recordPosition(position: Position): void;
  /** Reports a failure: the next subscription uses another connection. */
  reportFailure(): void;
  /** Reports that the subscription is not read any more. */
  release(): void;
}

/**
 * The connection to the store. Every call has a deadline. Callers repeat a failed call, which then uses a new
 * connection.
 */
export class Connection {
  /** The highest position that this process has seen. Nodes that do not have it are not read. */
  private seen: Position = START;
  private isOpen = true;
  private wasRedirected = false;
  private readonly links: Links;

  constructor(
    private readonly config: ConnectionConfig,
    private readonly clock: Clock,
    private readonly deadlineMs: number,
  ) {
    this.links = new Links(config, clock);
  }

  get open(): boolean {
    return this.isOpen;
  }

  /** Whether several nodes may respond, which may lack events that other nodes have acknowledged. */
  get isCluster(): boolean {
    return this.config.isCluster || this.wasRedirected;
  }

  /** The options of every call. */
  get callOptions() {
    return { deadline: this.deadlineMs };
  }

  hasSeen(position: Position): boolean {
    return position <= this.seen;
  }

  append(
    stream: string,
    expected: ExpectedOrAny,
    events: readonly ProposedEvent[],
    permission: string,
  ): Promise<AppendResponse> {
    const messages = toAppendMessages(stream, expected, events);
    return this.runCall(
      async (link) => {
        const answer = parseAppendResponse(
          await link.client.append(messages, { ...this.callOptions, requiresLeader: true }),
        );
        // Either the caller is wrong, or the node lacks events of the stream.
        if ('actual' in answer && isBefore(answer.actual, expected)) await this.requireUpToDate(link);
        if ('position' in answer && answer.position !== null) this.recordPosition(link, toPosition(answer.position));
        return answer;
      },
      true,
      permission,
    );
  }

  /** Runs a bounded read and returns all its events. */
  async read<E extends PositionedEvent>(
    ask: (client: EventStoreDBClient) => StreamingRead<E>,
    permission: string,
  ): Promise<E[]> {
    let asked: StreamingRead<E> | undefined;
    const work = async (link: Link) => {
      await this.requireUpToDate(link);
      const events = await collect((asked = ask(link.client)));
      if (this.isCluster && link.retired.aborted) throw new LinkRetired();
      for (const end of [events.at(0), events.at(-1)]) this.recordEvent(link, end);
      return events;
    };
    try {
      return await this.runCall(work, false, permission);
    } catch (error) {
      asked?.cancel().catch(ignore);
      throw error;
    }
  }

  /** Subscribes on a node that has reached the position `after`. */
  async subscribe(
    after: Position,
    ask: (client: EventStoreDBClient) => AllStreamSubscription,
    permission: string,
  ): Promise<LogSubscription> {
    const link = this.isCluster
      ? await this.runCall((each) => this.requireReached(each, after), false, permission)
      : await this.links.getCurrent();
    if (!this.isOpen) throw createClosedError();
    link.acquire();
    return {
      subscription: ask(link.client),
      retired: link.retired,
      recordPosition: (position) => this.recordPosition(link, position),
      reportFailure: () => this.links.retire(link),
      release: once(() => link.release()),
    };
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.links.close();
  }

  private async runCall<T>(work: Work<T>, writes: boolean, permission: string): Promise<T> {
    if (!this.isOpen) throw createClosedError();
    const call = new Call();
    try {
      return await this.withDeadline(call, this.runOnLeader(call, work));
    } catch (error) {
      if (isPermanent(error)) throw error;
      if (call.link !== null && !needsOperator(error) && !(error instanceof PositionNotReached))
        this.links.retire(call.link);
      throw toUnavailable(error, writes && call.link !== null, permission);
    } finally {
      call.end();
    }
  }

  /** Runs the work on the leader that the nodes name, and replaces stale nodes. */
  private async runOnLeader<T>(call: Call, work: Work<T>): Promise<T> {
    for (let redirects = 0; ;) {
      const link = call.moveTo(await this.links.getCurrent());
      try {
        return await work(link);
      } catch (error) {
        if (call.hasEnded) throw error;
        if (isNotLeader(error) && ++redirects < MAX_REDIRECTS) this.redirect(link, error);
        else if (error instanceof StaleNode) await this.replaceStaleNode(link);
        else throw error;
      }
    }
  }

  private redirect(link: Link, error: unknown): void {
    this.wasRedirected = true;
    const leader = findLeader(error);
    if (leader === null) this.links.retire(link);
    else this.links.redirect(link, leader);
  }

  private async replaceStaleNode(link: Link): Promise<void> {
    this.links.retire(link);
    await this.clock.sleep(STALE_NODE_DELAY_MS);
  }

  private async requireReached(link: Link, after: Position): Promise<Link> {
    await this.requireUpToDate(link);
    if (after > link.highestPosition) await this.readHead(link);
    if (after > link.highestPosition) throw new PositionNotReached(after);
    return link;
  }

  /**
   * Ensures that a node of a cluster has every position that this process has seen: it may lack events that another
   * node acknowledged.
   */
  private async requireUpToDate(link: Link): Promise<void> {
    const needed = this.seen;
    if (!this.isCluster || link.highestPosition >= needed) return;
    await this.readHead(link);
    if (link.highestPosition < needed) throw new StaleNode(link.node);
  }

  private async readHead(link: Link): Promise<void> {
    const options = {
      ...this.callOptions,
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: 1,
      requiresLeader: true,
    } as const;
    const [last] = await collect(link.client.readAll(options));
    this.recordEvent(link, last);
  }

  private recordEvent(link: Link, read: PositionedEvent | undefined): void {
    const position = read?.event?.position;
    if (isKnown(position)) this.recordPosition(link, toPosition(position));
  }

  private recordPosition(link: Link, position: Position): void {
    link.recordPosition(position);
    this.seen = pickLater(this.seen, position);
  }

  private async withDeadline<T>(call: Call, answer: Promise<T>): Promise<T> {
    const answered = new AbortController();
    try {
      return await Promise.race([answer, this.rejectWhenOverdue(call, answered.signal)]);
    } finally {
      // A string reason avoids creating an Error, whose stack costs more than the rest of this function.
      answered.abort('answered');
    }
  }

  /** @throws when the deadline of the call has passed, or when its silent node is not the leader any more */
  private async rejectWhenOverdue(call: Call, answered: AbortSignal): Promise<never> {
    const end = this.clock.monotonic() + this.deadlineMs + GRACE_MS;
    for (let left = end; left > 0; left = end - this.clock.monotonic()) {
      await this.clock.sleep(Math.min(left, LEADER_CHECK_MS), answered);
      if (answered.aborted) return new Promise<never>(() => undefined);
      if (call.link !== null && (await this.links.isReplaced(call.link))) throw new LeaderReplaced();
    }
    throw new CallTimeout(this.deadlineMs);
  }
}

function isBefore(actual: ExpectedRevision, expected: ExpectedOrAny): boolean {
  return typeof expected === 'number' && (actual === 'none' || actual < expected);
}

function createClosedError(): StoreUnavailable {
  return new StoreUnavailable('EventStoreDB: the store is closed', false);
}

function ignore(): void {}
