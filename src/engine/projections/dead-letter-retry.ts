import type { RecordedEvent } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { readPages } from '../read-pages.js';
import { applyEvent, emptyRow, findDocumentIds, foldOrNull, PoisonEvent } from './apply-event.js';
import {
  createFailure,
  type DeadLetter,
  type EventPlace,
  isReleased,
  mergeCategories,
  toEventPlace,
} from './dead-letter.js';
import { removeDeadLetters, storeFailure } from './dead-letters.js';
import { replaceDocuments } from './fold-documents.js';
import type { Skips } from './skips.js';

const PAGE_EVENTS = 500;
/** The event before another one is among this many: the others are system events of the store. */
const EVENTS_BEFORE = 10;

interface DeadLetterRetryTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly skips: Pick<Skips, 'has' | 'hasDocument'>;
}

/**
 * Folds the events that were set aside, in log order, from the document's row on, and removes the dead letters of
 * folded events. A repeated or concurrent run has the same result: a row only moves forward, and events up to the
 * position of the row are ignored.
 */
export class DeadLetterRetry<D extends object> {
  constructor(
    private readonly projection: Projection<D>,
    private readonly build: string,
    private readonly tools: DeadLetterRetryTools,
  ) {}

  /** @param deadLetters all dead letters of one block, in log order */
  async retry(deadLetters: readonly DeadLetter[]): Promise<void> {
    const { document } = deadLetters[0]!;
    if (document !== null) await this.retryDocument(document, deadLetters);
    else if (isReleased(deadLetters)) await this.retryStream(deadLetters);
  }

  private async retryDocument(id: string, deadLetters: readonly DeadLetter[]): Promise<void> {
    const row = await this.loadRow(id);
    const isPassed = deadLetters[0]!.position <= row.position;
    if (isPassed && this.tools.skips.hasDocument(id)) {
      // Another process has folded the row past dead letters, perhaps without knowledge of a skip.
      const failure = await capturePoison(() => this.replaceDocuments([id], row.position));
      if (failure !== null) return this.block(deadLetters, failure, toEventPlace(deadLetters[0]!));
    }
    const waiting = deadLetters.filter(({ to_position }) => to_position > row.position);
    await removeDeadLetters(
      this.tools.readModels,
      deadLetters.filter((one) => !waiting.includes(one)),
    );
    const isBlocked = !isReleased(waiting.filter(({ position }) => position > row.position));
    if (waiting.length > 0 && !isBlocked) await this.foldWaiting(await this.loadRow(id), waiting);
  }

  private async foldWaiting(row: Row<D>, deadLetters: readonly DeadLetter[]): Promise<void> {
    let current = row;
    let passed = 0;
    const failure = await capturePoison(async () => {
      for await (const event of this.readWaiting(deadLetters)) {
        if (!this.concerns(row.id, event)) continue;
        current = this.fold(current, event);
        passed++;
      }
    });
    if (current !== row) await this.tools.readModels.upsert(this.build, [current]);
    if (failure === null) await removeDeadLetters(this.tools.readModels, deadLetters);
    else await this.block(deadLetters, failure, failure.event, passed);
  }

  /** An event whose documents cannot be determined blocks its stream. */
  private concerns(id: string, event: RecordedEvent): boolean {
    if (this.isSkipped(id, event)) return true;
    return foldOrNull(() => findDocumentIds(this.projection, event))?.includes(id) ?? false;
  }

  /** The row moves past a skipped event, so that a process without knowledge of the skip does not fold the event. */
  private fold(row: Row<D>, event: RecordedEvent): Row<D> {
    if (!this.isSkipped(row.id, event)) return applyEvent(this.projection, row, event);
    return { ...row, position: pickLater(row.position, event.position) };
  }

  /** Other streams may have advanced these documents, so they are rebuilt from the log. */
  private async retryStream(deadLetters: readonly DeadLetter[]): Promise<void> {
    const { stream } = deadLetters[0]!;
    const ids = new Set<string>();
    let [reached, passed] = [START, 0];
    const unreadable = await capturePoison(async () => {
      for await (const event of this.readWaiting(deadLetters)) {
        if (event.stream !== stream) continue;
        if (!this.isSkipped(null, event)) for (const id of findDocumentIds(this.projection, event)) ids.add(id);
        [reached, passed] = [event.position, passed + 1];
      }
    });
    const failure = await capturePoison(() => this.replaceDocuments([...ids], reached));
    if (failure !== null) await this.block(deadLetters, failure, toEventPlace(deadLetters[0]!));
    else if (unreadable !== null) await this.block(deadLetters, unreadable, unreadable.event, passed);
    else await removeDeadLetters(this.tools.readModels, deadLetters);
  }

  /** Replaces the dead letters by that of an event that failed now. @param passed number of the events before it */
  private async block(
    deadLetters: readonly DeadLetter[],
    { cause }: PoisonEvent,
    failed: EventPlace,
    passed = 0,
  ): Promise<void> {
    const last = findLast(deadLetters);
    const events = deadLetters.reduce((sum, one) => sum + one.events, -passed);
    const failure = createFailure(last, failed, cause, deadLetters[0]!.created_at);
    const categories = mergeCategories(deadLetters);
    const blocking = { ...failure, to_position: last.to_position, categories, events: Math.max(1, events) };
    await storeFailure(this.tools.readModels, blocking, last);
    await removeDeadLetters(
      this.tools.readModels,
      deadLetters.filter(({ id }) => id !== blocking.id),
    );
  }

  /** Reads the log from the first event that failed to the last one that waits. */
  private async *readWaiting(deadLetters: readonly DeadLetter[]): AsyncGenerator<RecordedEvent, undefined> {
    const { store } = this.tools;
    const upTo = findLast(deadLetters).to_position;
    const before = { before: deadLetters[0]!.position, backwards: true, limit: EVENTS_BEFORE };
    const after = (await store.readAll(before)).events[0]?.position;
    const filter = { prefixes: mergeCategories(deadLetters).map((category) => `${category}-`) };
    for await (const { events } of readPages(store, { after, upTo, filter, limit: PAGE_EVENTS }))
      yield* events.filter(({ position }) => position <= upTo);
  }

  private async loadRow(id: string): Promise<Row<D>> {
    const [row = emptyRow<D>(id)] = (await this.tools.readModels.load(this.build, [id])) as Row<D>[];
    return row;
  }

  private async replaceDocuments(ids: readonly string[], reached: Position): Promise<void> {
    if (ids.length > 0) await replaceDocuments(this.projection, this.build, ids, reached, this.tools);
  }

  private isSkipped(document: string | null, { id: eventId }: RecordedEvent): boolean {
    return this.tools.skips.has({ document, eventId });
  }
}

/** Returns the dead letter with the last waiting event. */
function findLast(deadLetters: readonly DeadLetter[]): DeadLetter {
  return deadLetters.reduce((last, one) => (one.to_position > last.to_position ? one : last));
}

async function capturePoison(work: () => Promise<void>): Promise<PoisonEvent | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof PoisonEvent) return error;
    throw error;
  }
}
