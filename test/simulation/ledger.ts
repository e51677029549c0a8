import type { Recorded } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import { apply, idsOf, type Projection } from '../../src/kernel/projection.js';

/** A simple reference implementation of a projection's fold. */
export class Ledger {
  private readonly documents = new Map<string, object | null>();
  private read = 0;

  constructor(private readonly projection: Projection<object>) {}

  /**
   * Folds up to `end`; returns the documents that changed since the previous call, with the position of their last
   * event.
   */
  upTo(end: Position, log: readonly Recorded[]): ReadonlyMap<string, Position> {
    const changed = new Map<string, Position>();
    for (; this.read < log.length && log[this.read]!.position <= end; this.read++) {
      const event = log[this.read]!;
      for (const id of idsOf(this.projection, event)) if (this.changes(id, event)) changed.set(id, event.position);
    }
    return changed;
  }

  private changes(id: string, event: Recorded): boolean {
    const before = this.documents.get(id) ?? null;
    const after = apply(this.projection, before, event);
    this.documents.set(id, after);
    return after !== before;
  }
}
