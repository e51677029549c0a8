import type { AllStreamSubscription, EventStoreDBClient, StreamingRead } from '@eventstore/db-client';
import { BACKWARDS, END } from '@eventstore/db-client';
import type { Clock } from '../../kernel/clock.js';
import type { ExpectedRevision } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import { type AppendResponse, type ExpectedOrAny, parseAppendResponse, toAppendMessages } from './append-messages.js';
import { CallRunner } from './call-runner.js';
import { collect, once } from './calls.js';
import type { ConnectionConfig } from './connection-string.js';
import type { ProposedEvent } from './events.js';
import { LinkRetired, PositionNotReached, StaleNode } from './failures.js';
import type { Link } from './link.js';
import { Links } from './links.js';
import { isKnown, type LogPosition, toPosition } from './positions.js';

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
  private readonly links: Links;
  private readonly calls: CallRunner;

  constructor(
    private readonly config: ConnectionConfig,
    clock: Clock,
    private readonly deadlineMs: number,
  ) {
    this.links = new Links(config, clock);
    this.calls = new CallRunner(this.links, clock, deadlineMs);
  }

  get open(): boolean {
    return this.calls.isOpen;
  }

  /** Whether several nodes may respond, which may lack events that other nodes have acknowledged. */
  get isCluster(): boolean {
    return this.config.isCluster || this.calls.wasRedirected;
  }

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
    return this.calls.run(
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
      return await this.calls.run(work, false, permission);
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
      ? await this.calls.run((each) => this.requireReached(each, after), false, permission)
      : await this.links.getCurrent();
    this.calls.requireOpen();
    link.acquire();
    return {
      subscription: ask(link.client),
      retired: link.retired,
      recordPosition: (position) => this.recordPosition(link, position),
      reportFailure: () => this.links.retire(link),
      release: once(() => link.release()),
    };
  }

  close(): Promise<void> {
    return this.calls.close();
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
}

function isBefore(actual: ExpectedRevision, expected: ExpectedOrAny): boolean {
  return typeof expected === 'number' && (actual === 'none' || actual < expected);
}

function ignore(): void {}
