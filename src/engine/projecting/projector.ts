import type { Clock } from '../../kernel/clock.js';
import { crashPoint } from '../../kernel/crash-points.js';
import type { Recorded } from '../../kernel/event.js';
import { StoreUnavailable, type EventStore } from '../../kernel/event-store.js';
import { START } from '../../kernel/position.js';
import { collectionOf, type Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import type { Follows } from '../following/runner.js';
import { amend, DeadLetters, isReleased, type DeadLetter } from './dead-letters.js';
import { documentsOf, foldAnew } from './fold-anew.js';
import { foldedInto, noRow, Poison, touchedBy } from './folding.js';
import { Retrial } from './retrial.js';
import { Skips, skipping, skipsAmong, type RecordedSkip } from './skips.js';

/** Older rows are not saved but loaded again: the tombstone of a document that was deleted meanwhile may be swept after a day. */
const MAX_AGE_MS = 600_000;

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
  private readonly store: EventStore;
  private readonly readModels: ReadModels;
  private readonly clock: Clock;
  private readonly skips: Skips;
  private readonly deadLetters: DeadLetters;
  private readonly retrial: Retrial<D>;
  /** Read behind the checkpoint: what other processes have set aside before it is among them. */
  private stale = true;
  /** Rows whose save was not acknowledged. It is repeated before anything is loaded: what is read of it may still be undone. */
  private unconfirmed: readonly Row[] = [];
  /** When the rows were loaded that are saved next, in monotonic time. */
  private loadedAt = 0;

  constructor(
    private readonly map: Projection<D>,
    { store, readModels, clock }: ProjectorTools,
    /** Of the build. */
    readonly name: string = collectionOf(map),
  ) {
    this.store = store;
    this.readModels = readModels;
    this.clock = clock;
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
    const skips = skipsAmong(events, this.map.name);
    const isBefore = ({ position }: Recorded) => position <= (skips.at(-1)?.position ?? START);
    try {
      if (skips.length === 0) return await this.fold(events);
      await this.fold(events.filter(isBefore));
      await this.foldWithout(skips);
      await this.fold(events.filter((event) => !isBefore(event)));
      return true;
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

  /**
   * All before the skips is folded or set aside. A process that did not know of them may have folded what they name: in the document, in a
   * save that is still under way, or from a letter, which then is gone.
   */
  private async foldWithout(skips: readonly RecordedSkip[]): Promise<void> {
    const { projection, name, readModels, store } = this;
    await this.releaseSkipped();
    await this.refresh();
    for (const skip of skips) {
      for (const id of await documentsOf(this.map, skip, store)) {
        const isBlocked = this.deadLetters.blocks(id, { stream: '', position: skip.position });
        await foldAnew(projection, name, [id], isBlocked ? START : skip.position, { store, readModels });
      }
    }
  }

  /** Whoever has recorded a skip may have ended before it released the letter. */
  private async releaseSkipped(): Promise<void> {
    await this.skips.load();
    const letters = (await this.setAside()).flat();
    const skipped = letters.filter(
      ({ first, retry, document, event: eventId }) => first && !retry && this.skips.has({ document, eventId }),
    );
    for (const letter of skipped) await amend(this.readModels, { ...letter, retry: true });
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
    if (this.clock.monotonic() - this.loadedAt > MAX_AGE_MS) {
      this.unconfirmed = [];
      throw new StoreUnavailable('the documents were loaded too long ago: they are loaded again', false);
    }
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
    this.loadedAt = this.clock.monotonic();
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
