import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { describeError } from '../retrier.js';
import { applyEvent, emptyRow, findDocumentIds, PoisonEvent } from './apply-event.js';
import { DeadLetterEvents } from './dead-letter-events.js';
import { type DeadLetter, isReleased, removeDeadLetters, updateDeadLetter } from './dead-letters.js';
import { replaceDocuments } from './rebuild-documents.js';
import type { Skips } from './skips.js';

interface DeadLetterRetryTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly skips: Pick<Skips, 'has' | 'hasDocument'>;
}

/**
 * Folds the events that were set aside, in order, from the document's row on, and removes the dead letters of folded
 * events. A repeated or concurrent run has the same result: a row only moves forward.
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
    const [row = emptyRow<D>(id)] = (await this.tools.readModels.load(this.build, [id])) as Row<D>[];
    const folded = deadLetters.filter(({ position }) => position <= row.position);
    if (folded.length > 0 && this.tools.skips.hasDocument(id)) return this.retryPassed(id, row.position, deadLetters);
    const ahead = deadLetters.slice(folded.length);
    if (isReleased(ahead)) folded.push(...(await this.foldNext(row, ahead)));
    await removeDeadLetters(this.tools.readModels, folded);
  }

  /**
   * Folds the document again from the log: another process has folded the row past dead letters, perhaps without
   * knowledge of a skip.
   */
  private async retryPassed(id: string, reached: Position, deadLetters: readonly DeadLetter[]): Promise<void> {
    const isPassed = (deadLetter: DeadLetter) => deadLetter.position <= reached;
    const failure = await captureFailure(() => this.replaceDocuments([id], reached));
    if (failure !== null) return this.blockAgain(deadLetters.find(isPassed)!, failure);
    await removeDeadLetters(this.tools.readModels, deadLetters.filter(isPassed));
    const left = deadLetters.filter((deadLetter) => !isPassed(deadLetter));
    if (left.length > 0) await this.retryDocument(id, left);
  }

  /** @returns the dead letters of the folded events; the next remaining dead letter gets its new error */
  private async foldNext(row: Row<D>, deadLetters: readonly DeadLetter[]): Promise<readonly DeadLetter[]> {
    const events = new DeadLetterEvents(deadLetters, this.tools.store);
    let current = row;
    let done = 0;
    const failure = await captureFailure(async () => {
      for (; done < deadLetters.length; done++) current = await this.fold(current, deadLetters[done]!, events);
    });
    if (current !== row) await this.tools.readModels.upsert(this.build, [current]);
    if (failure !== null) await this.blockAgain(deadLetters[done]!, failure);
    return deadLetters.slice(0, done);
  }

  private async fold(row: Row<D>, deadLetter: DeadLetter, events: DeadLetterEvents): Promise<Row<D>> {
    // The row moves past a skipped event, so that a process without knowledge of the skip does not fold the event.
    if (this.isSkipped(deadLetter)) return { ...row, position: deadLetter.position };
    const event = await events.get(deadLetter);
    return findDocumentIds(this.projection, event).includes(row.id) ? applyEvent(this.projection, row, event) : row;
  }

  /** Other streams may have advanced these documents, so they are rebuilt from the log. */
  private async retryStream(deadLetters: readonly DeadLetter[]): Promise<void> {
    const failure = await captureFailure(async () => {
      const events = new DeadLetterEvents(deadLetters, this.tools.store);
      const ids = new Set<string>();
      for (const deadLetter of deadLetters)
        for (const id of await this.findDocumentIds(deadLetter, events)) ids.add(id);
      await this.replaceDocuments([...ids], deadLetters.at(-1)!.position);
    });
    if (failure === null) await removeDeadLetters(this.tools.readModels, deadLetters);
    else await this.blockAgain(deadLetters[0]!, failure);
  }

  private async findDocumentIds(deadLetter: DeadLetter, events: DeadLetterEvents): Promise<readonly string[]> {
    if (this.isSkipped(deadLetter)) return [];
    return findDocumentIds(this.projection, await events.get(deadLetter));
  }

  private replaceDocuments(ids: readonly string[], reached: Position): Promise<void> {
    return replaceDocuments(this.projection, this.build, ids, reached, this.tools);
  }

  private isSkipped({ document, event: eventId }: DeadLetter): boolean {
    return this.tools.skips.has({ document, eventId });
  }

  private blockAgain(deadLetter: DeadLetter, error: unknown): Promise<void> {
    return updateDeadLetter(this.tools.readModels, {
      ...deadLetter,
      error: describeError(error instanceof PoisonEvent ? error.cause : error),
      blocking: true,
      retry: false,
    });
  }
}

/** Returns the error of the work, or null. An unavailable store is not an error of the event. */
async function captureFailure(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return error;
  }
}
