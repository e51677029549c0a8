import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Retrier } from '../../engine/retrier.js';
import { reportAndIgnore } from '../../kernel/background-errors.js';
import { Clock, Random } from '../../kernel/clock.js';
import { type EventPage, EventStore } from '../../kernel/event-store.js';
import type { Owner } from '../../kernel/ownership.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import { type PublicEvent, publicEventDecider, type PublicEventFact } from '../domain/public-event.js';
import { EventMessages } from './event-messages.js';

const PUBLIC_EVENTS = { prefixes: [`${publicEventDecider.category}-`] };

/** A public event with its place in the log. All streams share its text, which is made at its first use. */
export interface FedEvent {
  readonly position: Position;
  readonly event: PublicEvent;
  readonly message: () => Promise<string>;
}

const FEED = { kind: 'stream', name: 'public event feed' } as const;

export type FeedListener = (event: FedEvent) => void;

/** The only follower of public events in a process: it passes each event to the listeners of its business and mode. */
@Injectable()
export class PublicEventFeed implements OnModuleDestroy {
  /** The place up to which events were passed on. */
  position: Position = START;
  private readonly listeners = new Map<string, Set<FeedListener>>();
  private readonly stopping = new AbortController();
  private readonly retrier: Retrier;
  private following: Promise<void> | null = null;

  constructor(
    private readonly store: EventStore,
    private readonly messages: EventMessages,
    clock: Clock,
    random: Random,
  ) {
    this.retrier = new Retrier(clock, random, FEED);
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** Passes the events after the returned place to the listener, in the order of the log. */
  async subscribe(owner: Owner, listener: FeedListener): Promise<Position> {
    await (this.following ??= this.start());
    const key = toKey(owner);
    const group = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, group.add(listener));
    return this.position;
  }

  unsubscribe(owner: Owner, listener: FeedListener): void {
    const group = this.listeners.get(toKey(owner));
    group?.delete(listener);
    if (group?.size === 0) this.listeners.delete(toKey(owner));
  }

  /** Begins at the head of the log. A failed start is tried again by the next subscriber. */
  private async start(): Promise<void> {
    try {
      this.position = await this.store.readHead();
    } catch (error) {
      this.following = null;
      throw error;
    }
    const { signal } = this.stopping;
    this.retrier.run((onHealthy) => this.follow(signal, onHealthy), signal).catch(reportAndIgnore(FEED));
  }

  private async follow(signal: AbortSignal, onHealthy: () => void): Promise<void> {
    for await (const page of this.store.follow({ after: this.position, filter: PUBLIC_EVENTS }, signal)) {
      onHealthy();
      this.dispatch(page);
    }
    if (!signal.aborted) throw new Error('the store ended its subscription to the public events');
  }

  private dispatch({ events, next }: EventPage): void {
    for (const { type, data, position } of events) {
      if (type !== ('PublicEventRecorded' satisfies PublicEventFact['type'])) continue;
      const event = data as PublicEvent;
      const group = this.listeners.get(toKey({ business: event.businessId, mode: event.mode }));
      if (group === undefined) continue;
      let message: Promise<string> | null = null;
      const fed = { position, event, message: () => (message ??= this.messages.write(event)) };
      for (const listener of group) listener(fed);
    }
    this.position = pickLater(this.position, next);
  }
}

function toKey({ business, mode }: Owner): string {
  return `${business}:${mode}`;
}
