import type { AllStreamSubscription, EventStoreDBClient, StreamingRead } from '@eventstore/db-client';
import { BACKWARDS, END } from '@eventstore/db-client';
import type { Clock } from '../../kernel/clock.js';
import { StoreUnavailable, type Expected } from '../../kernel/event-store.js';
import { later, START, type Position } from '../../kernel/position.js';
import type { Address } from './address.js';
import { appendAnswerIn, appendMessages, type AppendAnswer, type ExpectedOrAny } from './appending.js';
import type { Proposed } from './events.js';
import { Call, collected, once } from './calls.js';
import { Ahead, Behind, isAnswer, isElsewhere, isRefusal, LeftMeanwhile, leaderIn, Overdue, Replaced, unavailable } from './failures.js';
import type { Link } from './link.js';
import { Links } from './links.js';
import { isKnown, positionOf, type LogPosition } from './positions.js';

/** The client limits the time of a call itself, except for the search for the leader and for reads. */
const GRACE_MS = 500;
/** After this time without a response the cluster is asked whether another node is its leader. */
const SILENCE_MS = 1_500;
/** How many redirects to another leader one call follows. */
const MAX_TURNS = 3;
/** The delay before the search for a replacement of a stale node. */
const BEHIND_PAUSE_MS = 50;

type Work<T> = (link: Link) => Promise<T>;

/** The part of an event that holds its position. */
interface Placed {
  readonly event?: { readonly position?: LogPosition | undefined } | undefined;
}

export interface Subscribed {
  readonly subscription: AllStreamSubscription;
  /** Aborts when its link is retired or the store is closed. */
  readonly left: AbortSignal;
  saw(position: Position): void;
  /** Reports a failure: the next subscription uses another connection. */
  lost(): void;
  /** Reports that the subscription is not read any more. */
  ended(): void;
}

/**
 * The connection to the store. Every call has a deadline. Callers repeat a failed call, which then uses a new
 * connection.
 */
export class Connection {
  /** The highest position that this process has seen. Nodes that do not have it are not read. */
  private seen: Position = START;
  private isOpen = true;
  private turned = false;
  private readonly links: Links;

  constructor(
    private readonly address: Address,
    private readonly clock: Clock,
    private readonly deadlineMs: number,
  ) {
    this.links = new Links(address, clock);
  }

  get open(): boolean {
    return this.isOpen;
  }

  /** Whether several nodes may respond, which may lack events that other nodes have acknowledged. */
  get isCluster(): boolean {
    return this.address.isCluster || this.turned;
  }

  /** The options of every call. */
  get call() {
    return { deadline: this.deadlineMs };
  }

  hasSeen(position: Position): boolean {
    return position <= this.seen;
  }

  append(stream: string, expected: ExpectedOrAny, events: readonly Proposed[], right: string): Promise<AppendAnswer> {
    const messages = appendMessages(stream, expected, events);
    return this.within(
      async (link) => {
        const answer = appendAnswerIn(await link.client.append(messages, { ...this.call, requiresLeader: true }));
        // Either the caller is wrong, or the node lacks events of the stream.
        if ('actual' in answer && isBefore(answer.actual, expected)) await this.prove(link);
        if ('position' in answer && answer.position !== null) this.saw(link, positionOf(answer.position));
        return answer;
      },
      true,
      right,
    );
  }

  /** Runs a bounded read and returns all its events. */
  async read<E extends Placed>(ask: (client: EventStoreDBClient) => StreamingRead<E>, right: string): Promise<E[]> {
    let asked: StreamingRead<E> | undefined;
    const work = async (link: Link) => {
      await this.prove(link);
      const events = await collected((asked = ask(link.client)));
      if (this.isCluster && link.left.aborted) throw new LeftMeanwhile();
      for (const end of [events.at(0), events.at(-1)]) this.sawEvent(link, end);
      return events;
    };
    try {
      return await this.within(work, false, right);
    } catch (error) {
      asked?.cancel().catch(ignored);
      throw error;
    }
  }

  /** Subscribes on a node that has reached the position `after`. */
  async subscribe(after: Position, ask: (client: EventStoreDBClient) => AllStreamSubscription, right: string): Promise<Subscribed> {
    const link = this.isCluster ? await this.within((each) => this.reaching(each, after), false, right) : await this.links.current();
    if (!this.isOpen) throw closed();
    link.enter();
    return {
      subscription: ask(link.client),
      left: link.left,
      saw: (position) => this.saw(link, position),
      lost: () => this.links.leave(link),
      ended: once(() => link.exit()),
    };
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.links.close();
  }

  private async within<T>(work: Work<T>, writes: boolean, right: string): Promise<T> {
    if (!this.isOpen) throw closed();
    const call = new Call();
    try {
      return await this.inTime(call, this.follow(call, work));
    } catch (error) {
      if (isAnswer(error)) throw error;
      if (call.link !== null && !isRefusal(error) && !(error instanceof Ahead)) this.links.leave(call.link);
      throw unavailable(error, writes && call.link !== null, right);
    } finally {
      call.end();
    }
  }

  /** Runs the work on the leader that the nodes name, and replaces stale nodes. */
  private async follow<T>(call: Call, work: Work<T>): Promise<T> {
    for (let turns = 0; ;) {
      const link = call.over(await this.links.current());
      try {
        return await work(link);
      } catch (error) {
        if (call.hasEnded) throw error;
        if (isElsewhere(error) && ++turns < MAX_TURNS) this.turn(link, error);
        else if (error instanceof Behind) await this.leaveBehind(link);
        else throw error;
      }
    }
  }

  private turn(link: Link, error: unknown): void {
    this.turned = true;
    const leader = leaderIn(error);
    if (leader === null) this.links.leave(link);
    else this.links.turn(link, leader);
  }

  private async leaveBehind(link: Link): Promise<void> {
    this.links.leave(link);
    await this.clock.sleep(BEHIND_PAUSE_MS);
  }

  private async reaching(link: Link, after: Position): Promise<Link> {
    await this.prove(link);
    if (after > link.shown) await this.askHead(link);
    if (after > link.shown) throw new Ahead(after);
    return link;
  }

  /**
   * Ensures that a node of a cluster has every position that this process has seen: it may lack events that another
   * node acknowledged.
   */
  private async prove(link: Link): Promise<void> {
    const needed = this.seen;
    if (!this.isCluster || link.shown >= needed) return;
    await this.askHead(link);
    if (link.shown < needed) throw new Behind(link.node);
  }

  private async askHead(link: Link): Promise<void> {
    const options = { ...this.call, direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const;
    const [last] = await collected(link.client.readAll(options));
    this.sawEvent(link, last);
  }

  private sawEvent(link: Link, read: Placed | undefined): void {
    const position = read?.event?.position;
    if (isKnown(position)) this.saw(link, positionOf(position));
  }

  private saw(link: Link, position: Position): void {
    link.show(position);
    this.seen = later(this.seen, position);
  }

  private async inTime<T>(call: Call, answer: Promise<T>): Promise<T> {
    const answered = new AbortController();
    try {
      return await Promise.race([answer, this.overdue(call, answered.signal)]);
    } finally {
      // A string reason avoids creating an Error, whose stack costs more than the rest of this function.
      answered.abort('answered');
    }
  }

  /** @throws when the deadline of the call has passed, or when its silent node is not the leader any more */
  private async overdue(call: Call, answered: AbortSignal): Promise<never> {
    const end = this.clock.monotonic() + this.deadlineMs + GRACE_MS;
    for (let left = end; left > 0; left = end - this.clock.monotonic()) {
      await this.clock.sleep(Math.min(left, SILENCE_MS), answered);
      if (answered.aborted) return new Promise<never>(() => undefined);
      if (call.link !== null && (await this.links.isReplaced(call.link))) throw new Replaced();
    }
    throw new Overdue(this.deadlineMs);
  }
}

function isBefore(actual: Expected, expected: ExpectedOrAny): boolean {
  return typeof expected === 'number' && (actual === 'none' || actual < expected);
}

function closed(): StoreUnavailable {
  return new StoreUnavailable('EventStoreDB: the store is closed', false);
}

function ignored(): void {}
