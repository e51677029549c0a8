import { reportParked } from '../../kernel/background-errors.js';
import type { Clock } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { START } from '../../kernel/position.js';
import { collectionOf, type Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { recordTraced, toEventWork, type TracedWork } from '../../kernel/tracing.js';
import { readMeta } from '../../kernel/unreadable-event.js';
import { type EventConsumer, type EventTypes, haveNoneInCommon } from '../consumers/event-consumer.js';
import { applyEvent, copyRow, emptyRow, findDocumentIds, PoisonEvent } from './apply-event.js';
import { type DeadLetter, isReleased } from './dead-letter.js';
import { DeadLetterRetry } from './dead-letter-retry.js';
import { DeadLetters, updateDeadLetter } from './dead-letters.js';
import { findSkippedDocuments, replaceDocuments } from './fold-documents.js';
import { findSkips, type RecordedSkip, SKIP_TYPES, Skips, withSkips } from './skips.js';

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
export class Projector<D extends object> implements EventConsumer {
  readonly failing = null;
  readonly work = { kind: 'projection', name: this.unfilteredProjection.name } as const;
  readonly collectMs: number | undefined;
  private readonly projection: Projection<D>;
  private readonly store: EventStore;
  private readonly readModels: ReadModels;
  private readonly clock: Clock;
  private readonly skips: Skips;
  private readonly deadLetters: DeadLetters;
  private readonly deadLetterRetry: DeadLetterRetry<D>;
  private readonly types: EventTypes;
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
    private readonly unfilteredProjection: Projection<D>,
    { store, readModels, clock }: ProjectorTools,
    /** Name of the build. */
    readonly name: string = collectionOf(unfilteredProjection),
  ) {
    this.store = store;
    this.readModels = readModels;
    this.clock = clock;
    this.collectMs = unfilteredProjection.collectMs;
    this.types = new Set([...Object.keys(unfilteredProjection.on), ...SKIP_TYPES]);
    this.skips = new Skips(store, unfilteredProjection.name);
    this.projection = withSkips(unfilteredProjection, this.skips);
    this.deadLetters = new DeadLetters(readModels, clock, name);
    this.deadLetterRetry = new DeadLetterRetry(this.projection, name, { store, readModels, skips: this.skips });
  }

  async prepare(): Promise<void> {
    await this.readModels.ensureCollection(this.name, this.unfilteredProjection);
    await this.deadLetters.prepare();
  }

  ignores(types: EventTypes): boolean {
    const hasUnfinishedWork = this.stale || this.unconfirmed.length > 0 || !this.deadLetters.isEmpty;
    return !hasUnfinishedWork && haveNoneInCommon(types, this.types);
  }

  /**
   * @throws PoisonEvent when decisions depend on the projection: it stops until the event is skipped or can be folded
   */
  async handle(events: readonly RecordedEvent[]): Promise<boolean> {
    if (this.stale) await this.refresh();
    const began = this.clock.monotonic();
    const skips = findSkips(events, this.unfilteredProjection.name);
    const isBefore = ({ position }: RecordedEvent) => position <= (skips.at(-1)?.position ?? START);
    try {
      if (skips.length === 0) {
        const worked = await this.fold(events);
        recordTraced(() => this.describeEvents(events), this.clock.monotonic() - began);
        return worked;
      }
      await this.fold(events.filter(isBefore));
      await this.applySkips(skips);
      await this.fold(events.filter((event) => !isBefore(event)));
      return true;
    } catch (error) {
      this.stale = true;
      if (error instanceof PoisonEvent) await this.deadLetters.save();
      throw error;
    }
  }

  private describeEvents(events: readonly RecordedEvent[]): TracedWork[] {
    const name = `project ${this.unfilteredProjection.name}`;
    const handled = events.filter((event) => event.type in this.unfilteredProjection.on && readMeta(event) !== null);
    return handled.map((event) => toEventWork(name, event));
  }

  /**
   * Retries the dead letters that operators have released, and reloads the blocked documents. Another process that has
   * not seen the release may set more events aside, so the loop ends only when all of them are folded.
   */
  async refresh(): Promise<void> {
    await this.skips.load();
    let deadLetters = await this.loadDeadLetterGroups();
    // A projection that decisions depend on receives the whole page again: earlier rows of that page may not be saved
    // yet.
    if (this.unfilteredProjection.stopOnPoison) deadLetters = [];
    while (deadLetters.length > 0) {
      for (const ofOne of deadLetters) await this.deadLetterRetry.retry(ofOne);
      deadLetters = (await this.loadDeadLetterGroups()).filter(isReleased);
    }
    this.stale = false;
  }

  /**
   * Applies skips after all earlier events are folded or set aside. A process without knowledge of a skip may have
   * folded the event: in the document, in a save that is still running, or from a dead letter, which is then removed.
   */
  private async applySkips(skips: readonly RecordedSkip[]): Promise<void> {
    const { projection, name, readModels, store } = this;
    await this.releaseSkipped();
    await this.refresh();
    for (const skip of skips) {
      for (const id of await findSkippedDocuments(this.unfilteredProjection, skip, store)) {
        const isBlocked = this.deadLetters.blocks(id, { stream: '', position: skip.position });
        await replaceDocuments(projection, name, [id], isBlocked ? START : skip.position, { store, readModels });
      }
    }
  }

  /**
   * Releases the dead letters of skipped events: the process that recorded a skip may have ended before the release.
   */
  private async releaseSkipped(): Promise<void> {
    await this.skips.load();
    const deadLetters = (await this.loadDeadLetterGroups()).flat();
    const skipped = deadLetters.filter(
      ({ blocking, retry, document, event: eventId }) => blocking && !retry && this.skips.has({ document, eventId }),
    );
    for (const deadLetter of skipped) await updateDeadLetter(this.readModels, { ...deadLetter, retry: true });
  }

  private async loadDeadLetterGroups(): Promise<DeadLetter[][]> {
    return [...(await this.deadLetters.load()).values()];
  }

  private async fold(events: readonly RecordedEvent[]): Promise<boolean> {
    if (this.unconfirmed.length > 0) await this.save(this.unconfirmed);
    const eventsByDocument = this.groupByDocument(events);
    const changed = eventsByDocument.size === 0 ? [] : await this.foldRows(eventsByDocument);
    if (changed.length > 0) {
      passCrashPoint('mid-projection-page');
      await this.save(changed);
    }
    // Dead letters are saved after the rows: a later fold onto a row with a dead letter then finds all earlier events
    // in the row.
    await this.deadLetters.save();
    if (this.unfilteredProjection.stopOnPoison && events.length > 0)
      await this.deadLetters.removeUpTo(events.at(-1)!.position);
    return eventsByDocument.size > 0;
  }

  private async save(rows: readonly Row[]): Promise<void> {
    if (this.clock.monotonic() - this.loadedAt > MAX_AGE_MS) {
      this.unconfirmed = [];
      throw new StoreUnavailable('the documents were loaded too long ago and must be loaded again', false);
    }
    try {
      await this.readModels.upsert(this.name, rows);
      this.unconfirmed = [];
    } catch (error) {
      if (error instanceof StoreUnavailable && error.maybeWritten) this.unconfirmed = rows;
      throw error;
    }
  }

  private groupByDocument(events: readonly RecordedEvent[]): Map<string, RecordedEvent[]> {
    const groups = new Map<string, RecordedEvent[]>();
    for (const event of events) {
      if (!this.types.has(event.type)) continue;
      for (const id of this.findDocumentIds(event)) {
        const others = groups.get(id);
        if (others === undefined) groups.set(id, [event]);
        else others.push(event);
      }
    }
    return groups;
  }

  private findDocumentIds(event: RecordedEvent): readonly string[] {
    return this.foldOrSetAside(null, event, () => findDocumentIds(this.projection, event), []);
  }

  private async foldRows(eventsByDocument: ReadonlyMap<string, readonly RecordedEvent[]>): Promise<Row[]> {
    this.loadedAt = this.clock.monotonic();
    const kept = await this.loadRows([...eventsByDocument.keys()]);
    return [...eventsByDocument].flatMap(([id, events]) => {
      const before = kept.get(id) ?? emptyRow<D>(id);
      const copies: Row<D>[] = [];
      const after = events.reduce((row, event) => this.foldOne(row, event, copies), before);
      return after === before ? [] : [...copies, after];
    });
  }

  private async loadRows(ids: readonly string[]): Promise<ReadonlyMap<string, Row<D>>> {
    const rows = this.projection.insertOnly ? [] : await this.readModels.load(this.name, ids);
    return new Map(rows.map((row) => [row.id, row as Row<D>]));
  }

  private foldOne(row: Row<D>, event: RecordedEvent, copies: Row<D>[]): Row<D> {
    if (event.position <= row.position) return row;
    const after = this.foldOrSetAside(row.id, event, () => applyEvent(this.projection, row, event), row);
    const copy = after === row ? null : copyRow(this.projection, after);
    if (copy !== null) copies.push(copy);
    return after;
  }

  private foldOrSetAside<T>(document: string | null, event: RecordedEvent, fold: () => T, fallback: T): T {
    try {
      if (this.unfilteredProjection.stopOnPoison || !this.deadLetters.blocks(document, event)) return fold();
      this.deadLetters.add(document, event);
    } catch (error) {
      if (!(error instanceof PoisonEvent)) throw error;
      this.deadLetters.add(document, event, error);
      if (this.unfilteredProjection.stopOnPoison) throw error;
      reportParked({ ...this.work, item: `${document ?? event.stream} at ${event.position}` }, error);
    }
    return fallback;
  }
}
