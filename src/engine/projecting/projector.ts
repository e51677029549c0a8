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

/**
 * Rows loaded before this time are loaded again instead of saved: the tombstone of a document deleted since then may be
 * swept after a day.
 */
const MAX_AGE_MS = 600_000;

export interface ProjectorTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
}

/**
 * Folds events into the documents of one build. Each document holds the position of its last event and skips earlier
 * events, so a page may be repeated, and two processes may run the same projection.
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
  /**
   * Whether skips and dead letters must be read again. They are read after the checkpoint, so that they include all
   * that other processes set aside before it.
   */
  private stale = true;
  /**
   * Rows with an unacknowledged save. The save is repeated before any row is loaded: a read may show a save that is
   * undone later.
   */
  private unconfirmed: readonly Row[] = [];
  /** Monotonic time at which the rows to save were loaded. */
  private loadedAt = 0;

  constructor(
    private readonly map: Projection<D>,
    { store, readModels, clock }: ProjectorTools,
    /** Name of the build. */
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

  /**
   * @throws PoisonEvent when decisions depend on the projection: it stops until the event is skipped or can be folded
   */
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
   * Retries the dead letters that operators have released, and reloads the blocked documents. Another process that has
   * not seen the release may set more events aside, so the loop ends only when all of them are folded.
   */
  async refresh(): Promise<void> {
    await this.skips.load();
    let letters = await this.setAside();
    // A projection that decisions depend on receives the whole page again: earlier rows of that page may not be saved
    // yet.
    if (this.map.decides) letters = [];
    while (letters.length > 0) {
      for (const ofOne of letters) await this.retrial.of(ofOne);
      letters = (await this.setAside()).filter(isReleased);
    }
    this.stale = false;
  }

  /**
   * Applies skips after all earlier events are folded or set aside. A process without knowledge of a skip may have
   * folded the event: in the document, in a save that is still running, or from a dead letter, which is then removed.
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

  /**
   * Releases the dead letters of skipped events: the process that recorded a skip may have ended before the release.
   */
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
    // Dead letters are saved after the rows: a later fold onto a row with a dead letter then finds all earlier events
    // in the row.
    await this.deadLetters.save();
    if (this.map.decides && events.length > 0) await this.deadLetters.passed(events.at(-1)!.position);
    return news.size > 0;
  }

  private async save(rows: readonly Row[]): Promise<void> {
    if (this.clock.monotonic() - this.loadedAt > MAX_AGE_MS) {
      this.unconfirmed = [];
      throw new StoreUnavailable('the documents were loaded too long ago and must be loaded again', false);
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
