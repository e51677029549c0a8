import type { RecordedEvent } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { type Position, START } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { applyEvent, emptyRow, findDocumentIds } from './apply-event.js';
import { blockAt, BlockRetry, captureFailure } from './block-retry.js';
import { type DeadLetter, isReleased } from './dead-letter.js';
import { removeDeadLetters } from './dead-letters.js';
import { replaceDocuments } from './fold-documents.js';
import type { Skips } from './skips.js';

interface DeadLetterRetryTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly skips: Pick<Skips, 'has' | 'hasDocument'>;
}

/**
 * Folds the events that were set aside, in order, from the document's row on, and removes the dead letters of folded
 * events. A repeated or concurrent run has the same result: a row only moves forward, and events up to the position of
 * the row are ignored.
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
    const isPassed = deadLetters[0]!.position <= row.position;
    if (isPassed && this.tools.skips.hasDocument(id)) return this.retryPassed(id, row.position, deadLetters);
    const isFolded = ({ to_position }: DeadLetter) => to_position <= row.position;
    const ahead = deadLetters.filter((deadLetter) => !isFolded(deadLetter));
    if (isReleased(ahead)) await this.foldNext(row, ahead);
    await removeDeadLetters(this.tools.readModels, deadLetters.filter(isFolded));
  }

  /**
   * Folds the document again from the log: another process has folded the row past dead letters, perhaps without
   * knowledge of a skip.
   */
  private async retryPassed(id: string, reached: Position, deadLetters: readonly DeadLetter[]): Promise<void> {
    const failure = await captureFailure(() => this.replaceDocuments([id], reached));
    if (failure !== null) return blockAt(this.tools.readModels, deadLetters[0]!, failure);
    const left = await new BlockRetry(deadLetters, this.tools).removeUpTo(reached);
    if (left.length > 0) await this.retryDocument(id, left);
  }

  private async foldNext(row: Row<D>, deadLetters: readonly DeadLetter[]): Promise<void> {
    const retry = new BlockRetry(deadLetters, this.tools);
    let current = row;
    await retry.foldAfter(row.position, (event) => {
      const folded = this.fold(current, event);
      current = folded ?? current;
      return folded !== null;
    });
    if (current !== row) await this.tools.readModels.upsert(this.build, [current]);
    await retry.settle();
  }

  /** Returns null when the event does not concern the document. */
  private fold(row: Row<D>, event: RecordedEvent): Row<D> | null {
    // The row moves past a skipped event, so that a process without knowledge of the skip does not fold the event.
    if (this.isSkipped(row.id, event)) return { ...row, position: event.position };
    return findDocumentIds(this.projection, event).includes(row.id) ? applyEvent(this.projection, row, event) : null;
  }

  /** Other streams may have advanced these documents, so they are rebuilt from the log. */
  private async retryStream(deadLetters: readonly DeadLetter[]): Promise<void> {
    const retry = new BlockRetry(deadLetters, this.tools);
    const ids = new Set<string>();
    await retry.foldAfter(START, (event) => {
      if (!this.isSkipped(null, event)) for (const id of findDocumentIds(this.projection, event)) ids.add(id);
      return true;
    });
    const failure = await captureFailure(() => this.replaceDocuments([...ids], retry.reached));
    if (failure === null) await retry.settle();
    else await blockAt(this.tools.readModels, deadLetters[0]!, failure);
  }

  private async replaceDocuments(ids: readonly string[], reached: Position): Promise<void> {
    if (ids.length > 0) await replaceDocuments(this.projection, this.build, ids, reached, this.tools);
  }

  private isSkipped(document: string | null, { id: eventId }: RecordedEvent): boolean {
    return this.tools.skips.has({ document, eventId });
  }
}
