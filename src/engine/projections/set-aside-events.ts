import type { RecordedEvent } from '../../kernel/event.js';
import type { PoisonEvent } from './apply-event.js';
import {
  blockKeyOf,
  type BlockRef,
  createFailure,
  createRange,
  type DeadLetter,
  extendRange,
  failureIdOf,
  isOneEvent,
} from './dead-letter.js';

/**
 * The dead letters of the new events of one build. An event after a failed one extends the range of its stream: a
 * blocked document has one range for each stream, however many events arrive.
 */
export class SetAsideEvents {
  /** Ids of the dead letters that are never extended: of failed events, and those that older code stored. */
  private readonly fixedIds = new Set<string>();
  /** The range with the latest event, by block and stream. */
  private readonly ranges = new Map<string, DeadLetter>();
  private readonly changed = new Map<string, DeadLetter>();

  constructor(
    private readonly projection: string,
    stored: readonly DeadLetter[],
  ) {
    for (const deadLetter of stored) {
      if (deadLetter.blocking || isOneEvent(deadLetter)) this.fixedIds.add(deadLetter.id);
      else this.keepLatest(deadLetter);
    }
  }

  get unsaved(): readonly DeadLetter[] {
    return [...this.changed.values()];
  }

  clearUnsaved(): void {
    this.changed.clear();
  }

  /** Sets the event aside, unless that has been done; an event with `poison` has failed itself. */
  add(document: string | null, event: RecordedEvent, createdAt: string, poison?: PoisonEvent): void {
    const block = { projection: this.projection, document };
    if (poison !== undefined) this.addFailure(createFailure(block, event, poison.cause, createdAt));
    else if (!this.fixedIds.has(failureIdOf(block, event))) this.addToRange(block, event, createdAt);
  }

  private addFailure(failure: DeadLetter): void {
    this.fixedIds.add(failure.id);
    this.changed.set(failure.id, failure);
  }

  private addToRange(block: BlockRef, event: RecordedEvent, createdAt: string): void {
    const { stream, position } = event;
    const range = this.ranges.get(rangeKeyOf({ ...block, stream }));
    if (range !== undefined && range.position <= position && position <= range.to_position) return;
    const isNext = range !== undefined && range.to_position < position;
    const changed = isNext ? extendRange(range, event) : createRange(block, event, createdAt);
    this.ranges.set(rangeKeyOf(changed), changed);
    this.changed.set(changed.id, changed);
  }

  private keepLatest(range: DeadLetter): void {
    const other = this.ranges.get(rangeKeyOf(range));
    if (other === undefined || other.to_position < range.to_position) this.ranges.set(rangeKeyOf(range), range);
  }
}

function rangeKeyOf(range: Pick<DeadLetter, 'document' | 'stream'>): string {
  return `${blockKeyOf(range)} ${range.stream}`;
}
