import type { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import { reportFailure } from '../../kernel/background-errors.js';
import { ConsistencyContext } from '../../kernel/context.js';
import { type Owner, toOwnerFilter } from '../../kernel/ownership.js';
import { pickLater, type Position } from '../../kernel/position.js';
import type { PublicEventCache } from '../delivery/public-event-cache.js';
import { EVERY_TYPE, isSubscribedTo } from '../domain/event-types.js';
import { findResource } from '../domain/public-event.js';
import { expandEventTypes } from '../event-catalogue.js';
import { publicEvents } from '../projections/public-events.js';
import type { EventMessages } from './event-messages.js';
import type { FedEvent, PublicEventFeed } from './public-event-feed.js';
import type { StreamConnection } from './stream-connection.js';

const SLICE_EVENTS = 100;
/** Maximum number of events that wait until a stream has caught up. Beyond it, the client connects again. */
const MAX_WAITING = 1_000;
/** Names the streams in reports of their errors. */
export const STREAM = { kind: 'stream', name: 'event streams' } as const;

export interface Selection {
  readonly owner: Owner;
  /** Ids, prefixes such as `community.*`, or `*`. */
  readonly eventTypes: readonly string[];
  readonly resource: string | null;
}

export interface StreamDependencies {
  readonly reader: ReadModelReader;
  readonly events: PublicEventCache;
  readonly messages: EventMessages;
  readonly feed: PublicEventFeed;
}

/** Sends the selected events to one client, each once, in the order of the log. */
export class EventStream {
  private readonly waiting: FedEvent[] = [];
  private isCaughtUp = false;
  private isSending = false;

  /** @param last the place of the last event that the client has, or of the event before the first new one */
  constructor(
    private readonly selection: Selection,
    private last: Position,
    private readonly connection: StreamConnection,
    private readonly dependencies: StreamDependencies,
  ) {}

  /** Resolves when the stream has caught up. It continues until the connection is closed. */
  async start(): Promise<void> {
    const { reader, feed } = this.dependencies;
    const { signal } = this.connection;
    await this.catchUp();
    if (signal.aborted) return;
    const { owner } = this.selection;
    const listener = (event: FedEvent) => this.offer(event);
    signal.addEventListener('abort', () => feed.unsubscribe(owner, listener));
    const subscribedAt = await feed.subscribe(owner, listener);
    if (signal.aborted) return feed.unsubscribe(owner, listener);

    // The list contains every event up to the place of the subscription, and the feed has every event after it.
    if (subscribedAt > this.last) {
      await reader.requirePosition(publicEvents, subscribedAt);
      await this.catchUp();
      this.last = pickLater(this.last, subscribedAt);
    }
    this.isCaughtUp = true;
    await this.send();
  }

  /** Sends the listed events after the last one. */
  private async catchUp(): Promise<void> {
    const { reader, events, messages } = this.dependencies;
    const { owner, eventTypes, resource } = this.selection;
    const where = {
      ...toOwnerFilter(owner),
      ...(!eventTypes.includes(EVERY_TYPE) && { type: { in: expandEventTypes(eventTypes) } }),
      ...(resource !== null && { _resource: resource }),
      _position: { from: this.last },
    };
    const request = { where, orderBy: '_position', ascending: true, limit: SLICE_EVENTS } as const;
    for await (const slice of readSlices(reader, publicEvents, request, new ConsistencyContext())) {
      for (const { id, type, _position: position } of slice) {
        if (this.connection.signal.aborted) return;
        if (position <= this.last || !isSubscribedTo(eventTypes, type)) continue;
        await this.connection.writeAndDrain(await messages.write(await events.get(id)));
        this.last = position;
      }
    }
  }

  private offer(event: FedEvent): void {
    if (!this.isWanted(event)) return;
    this.waiting.push(event);
    if (this.waiting.length > MAX_WAITING) this.connection.close();
    else if (this.isCaughtUp && !this.isSending) void this.send();
  }

  private isWanted({ event }: FedEvent): boolean {
    const { eventTypes, resource } = this.selection;
    return isSubscribedTo(eventTypes, event.type) && (resource === null || findResource(event) === resource);
  }

  private async send(): Promise<void> {
    this.isSending = true;
    try {
      for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
        if (next.position <= this.last) continue;
        this.connection.write(await next.message());
        this.last = next.position;
      }
    } catch (error) {
      if (!this.connection.signal.aborted) reportFailure(STREAM, error);
      // The client connects again with the last id that it has.
      this.connection.close();
    }
    this.isSending = false;
  }
}
