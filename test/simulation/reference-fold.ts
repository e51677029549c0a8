import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import { apply, type Projection, toDocumentIds } from '../../src/kernel/projection.js';

/** A simple reference implementation of a projection's fold. */
export class ReferenceFold {
  private readonly documents = new Map<string, object | null>();
  private readCount = 0;

  constructor(private readonly projection: Projection<object>) {}

  /**
   * Folds up to `end`; returns the documents that changed since the previous call, with the position of their last
   * event.
   */
  advanceTo(end: Position, log: readonly RecordedEvent[]): ReadonlyMap<string, Position> {
    const changed = new Map<string, Position>();
    for (; this.readCount < log.length && log[this.readCount]!.position <= end; this.readCount++) {
      const event = log[this.readCount]!;
      for (const id of toDocumentIds(this.projection, event))
        if (this.applyTo(id, event)) changed.set(id, event.position);
    }
    return changed;
  }

  private applyTo(id: string, event: RecordedEvent): boolean {
    const before = this.documents.get(id) ?? null;
    const after = apply(this.projection, before, event, id);
    this.documents.set(id, after);
    return after !== before;
  }
}
