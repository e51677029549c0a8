import type { RecordedEvent } from '../../kernel/event.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { apply, toDocumentIds } from '../../kernel/projection.js';
import { type ResourceKind, toShownFields } from './audited-resources.js';

/** The number of events after which the document is stored, so that a later read begins there. */
export const BASELINE_EVENTS = 500;
/** A request folds at most this many events. A repeated request continues from the stored document. */
const MAX_EVENTS = 5_000;

export interface StoredDocument {
  readonly revision: number;
  readonly document: object | null;
}

export interface TimelineStart {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly document: object | null;
  /** The events of the resource after the document, in their order. */
  readonly events: AsyncIterator<RecordedEvent, void>;
  readonly save: (event: RecordedEvent, document: object | null) => void;
}

/** A resource at one moment, which moves forward event by event. */
export class ResourceTimeline {
  private document: object | null;
  private next: RecordedEvent | null | undefined;
  private applied = 0;

  constructor(private readonly start: TimelineStart) {
    this.document = start.document;
  }

  /** The fields of the resource that the history shows; null when it does not exist. */
  get shown(): object | null {
    return toShownFields(this.start.kind, this.document);
  }

  /** Applies the events before this position. */
  advanceTo(position: Position): Promise<void> {
    return this.advanceWhile((event) => event.position < position);
  }

  /** Applies the events up to this position, which is included. */
  advanceThrough(position: Position): Promise<void> {
    return this.advanceWhile((event) => event.position <= position);
  }

  /** @throws StoreUnavailable after too many events: a repeated call continues from the last stored document */
  async advanceWhile(isWanted: (event: RecordedEvent) => boolean): Promise<void> {
    for (let event = await this.peek(); event !== null && isWanted(event); event = await this.peek()) {
      this.applyEvent(event);
      this.next = undefined;
    }
  }

  private applyEvent(event: RecordedEvent): void {
    const { kind, id, save } = this.start;
    if (++this.applied > MAX_EVENTS)
      throw new StoreUnavailable(`the history of ${id} is being prepared: repeat the request`, false);
    if (toDocumentIds(kind.projection, event).includes(id))
      this.document = apply(kind.projection, this.document, event, id);
    if ((event.revision + 1) % BASELINE_EVENTS === 0) save(event, this.document);
  }

  /** Returns the next event without applying it; null at the end. */
  private async peek(): Promise<RecordedEvent | null> {
    if (this.next !== undefined) return this.next;
    const result = await this.start.events.next();
    this.next = result.done === true ? null : result.value;
    return this.next;
  }
}
