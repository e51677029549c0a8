import type { Clock } from '../kernel/clock.js';
import type { Recorded } from '../kernel/event.js';
import { START } from '../kernel/position.js';
import { apply, collectionOf, idsOf, type Projection } from '../kernel/projection.js';
import type { ReadModels, Row } from '../kernel/read-models.js';
import { DeadLetters } from './dead-letters.js';
import type { Follows } from './runner.js';

const TRIES = 3;

/**
 * Folds events into one projection's documents. Each document knows the position of the last event in it and skips what is not above,
 * so that a page may come again, and two processes may run the same projection.
 */
export class Projector<D extends object> implements Follows {
  readonly name: string;
  readonly failing = null;
  private readonly deadLetters: DeadLetters;

  constructor(
    private readonly projection: Projection<D>,
    private readonly readModels: ReadModels,
    clock: Clock,
  ) {
    this.name = collectionOf(projection);
    this.deadLetters = new DeadLetters(readModels, clock, this.name);
  }

  async prepare(): Promise<void> {
    await this.readModels.prepare(this.name, this.projection);
    await this.deadLetters.load();
  }

  async take(events: readonly Recorded[]): Promise<boolean> {
    this.deadLetters.forgetUnsaved();
    const news = this.byDocument(events);
    const changed = news.size === 0 ? [] : await this.folded(news);
    await this.deadLetters.save();
    if (changed.length > 0) await this.readModels.save(this.name, changed);
    return news.size > 0;
  }

  private byDocument(events: readonly Recorded[]): Map<string, Recorded[]> {
    const news = new Map<string, Recorded[]>();
    for (const event of events) {
      for (const id of this.idsOf(event)) {
        const others = news.get(id);
        if (others === undefined) news.set(id, [event]);
        else others.push(event);
      }
    }
    return news;
  }

  private idsOf(event: Recorded): readonly string[] {
    if (this.deadLetters.blocks(null, event)) this.deadLetters.add(null, event, null);
    else {
      const ids = tried(() => idsOf(this.projection, event));
      if ('value' in ids) return ids.value;
      this.deadLetters.add(null, event, ids.error);
    }
    return [];
  }

  private async folded(news: ReadonlyMap<string, readonly Recorded[]>): Promise<Row[]> {
    const kept = new Map((await this.readModels.load(this.name, [...news.keys()])).map((row) => [row.id, row as Row<D>]));
    return [...news].flatMap(([id, events]) => {
      const before = kept.get(id) ?? { id, position: START, document: null };
      const after = this.fold(before, events);
      return after === before ? [] : [after];
    });
  }

  private fold(row: Row<D>, events: readonly Recorded[]): Row<D> {
    return events.reduce((current, event) => (event.position > current.position ? this.foldOne(current, event) : current), row);
  }

  private foldOne(row: Row<D>, event: Recorded): Row<D> {
    if (this.deadLetters.blocks(row.id, event)) {
      this.deadLetters.add(row.id, event, null);
      return row;
    }
    const document = tried(() => apply(this.projection, row.document, event));
    if ('error' in document) this.deadLetters.add(row.id, event, document.error);
    else if (document.value !== row.document) return { id: row.id, position: event.position, document: document.value };
    return row;
  }
}

/** A map's own failure, and not the store's: a few tries, then it is a fact. */
function tried<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  let failure: unknown;
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return { value: work() };
    } catch (error) {
      failure = error;
    }
  }
  return { error: failure };
}
