import type { Clock } from '../../kernel/clock.js';
import { crashPoint } from '../../kernel/crash-points.js';
import type { Recorded } from '../../kernel/event.js';
import { StoreUnavailable, type EventStore } from '../../kernel/event-store.js';
import { collectionOf, type Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import type { Follows } from '../following/runner.js';
import { DeadLetters, isReleased, type DeadLetter } from './dead-letters.js';
import { foldedInto, noRow, Poison, touchedBy } from './folding.js';
import { Retrial } from './retrial.js';
import { Skips, skipping } from './skips.js';

export interface ProjectorTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
}

/**
 * Folds events into one projection's documents. Each document knows the position of the last event in it and skips what is not above,
 * so that a page may come again, and two processes may run the same projection.
 */
export class Projector<D extends object> implements Follows {
  readonly failing = null;
  private readonly projection: Projection<D>;
  private readonly readModels: ReadModels;
  private readonly skips: Skips;
  private readonly deadLetters: DeadLetters;
  private readonly retrial: Retrial<D>;
  /** Read behind the checkpoint: what other processes have set aside before it is among them. */
  private stale = true;
  /** Rows whose save was not acknowledged. It is repeated before anything is loaded: what is read of it may still be undone. */
  private unconfirmed: readonly Row[] = [];

  constructor(
    private readonly map: Projection<D>,
    { store, readModels, clock }: ProjectorTools,
    /** Of the build. */
    readonly name: string = collectionOf(map),
  ) {
    this.readModels = readModels;
    this.skips = new Skips(store, map.name);
    this.projection = skipping(map, this.skips);
    this.deadLetters = new DeadLetters(readModels, clock, name);
    this.retrial = new Retrial(this.projection, name, { store, readModels, skips: this.skips });
  }

  async prepare(): Promise<void> {
    await this.readModels.prepare(this.name, this.map);
    await this.deadLetters.prepare();
  }

  /** @throws Poison where something is decided by the documents: nothing goes on before it is skipped, or can be folded */
  async take(events: readonly Recorded[]): Promise<boolean> {
    if (this.stale) await this.refresh();
    try {
      return await this.fold(events);
    } catch (error) {
      this.stale = true;
      if (error instanceof Poison) await this.deadLetters.save();
      throw error;
    }
  }

  /**
   * Tries again what operators have released, and reads anew what is blocked. Another process may be setting more aside behind what was
   * released, until it hears of that: nothing goes on here before all of it is folded.
   */
  async refresh(): Promise<void> {
    await this.skips.load();
    let letters = await this.setAside();
    // Where something is decided, the page of the letter comes again whole: rows before it in that page may not be saved yet.
    if (this.map.decides) letters = [];
    while (letters.length > 0) {
      for (const ofOne of letters) await this.retrial.of(ofOne);
      letters = (await this.setAside()).filter(isReleased);
    }
    this.stale = false;
  }

  private async setAside(): Promise<DeadLetter[][]> {
    return [...(await this.deadLetters.load()).values()];
  }

  private async fold(events: readonly Recorded[]): Promise<boolean> {
    if (this.unconfirmed.length > 0) await this.save(this.unconfirmed);
    const news = this.byDocument(events);
    const changed = news.size === 0 ? [] : await this.folded(news);
    if (changed.length > 0) {
      crashPoint('mid-projection-page');
      await this.save(changed);
    }
    // After the rows: what is folded later onto a row with a letter finds all earlier events in it.
    await this.deadLetters.save();
    if (this.map.decides && events.length > 0) await this.deadLetters.passed(events.at(-1)!.position);
    return news.size > 0;
  }

  private async save(rows: readonly Row[]): Promise<void> {
    try {
      await this.readModels.save(this.name, rows);
      this.unconfirmed = [];
    } catch (error) {
      if (error instanceof StoreUnavailable && error.maybeWritten) this.unconfirmed = rows;
      throw error;
    }
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
    return this.orSetAside(null, event, () => touchedBy(this.projection, event), []);
  }

  private async folded(news: ReadonlyMap<string, readonly Recorded[]>): Promise<Row[]> {
    const kept = new Map((await this.readModels.load(this.name, [...news.keys()])).map((row) => [row.id, row as Row<D>]));
    return [...news].flatMap(([id, events]) => {
      const before = kept.get(id) ?? noRow<D>(id);
      const after = events.reduce((row, event) => this.foldOne(row, event), before);
      return after === before ? [] : [after];
    });
  }

  private foldOne(row: Row<D>, event: Recorded): Row<D> {
    if (event.position <= row.position) return row;
    return this.orSetAside(row.id, event, () => foldedInto(this.projection, row, event), row);
  }

  private orSetAside<T>(document: string | null, event: Recorded, fold: () => T, otherwise: T): T {
    try {
      if (this.map.decides || !this.deadLetters.blocks(document, event)) return fold();
      this.deadLetters.add(document, event);
    } catch (error) {
      if (!(error instanceof Poison)) throw error;
      this.deadLetters.add(document, event, error);
      if (this.map.decides) throw error;
    }
    return otherwise;
  }
}
