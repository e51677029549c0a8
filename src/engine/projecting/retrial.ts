import { StoreUnavailable, type EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { messageOf } from '../patience.js';
import { amend, isReleased, remove, type DeadLetter } from './dead-letters.js';
import { foldAnew } from './fold-anew.js';
import { foldedInto, noRow, Poison, touchedBy } from './folding.js';
import { LetterEvents } from './letter-events.js';
import type { Skips } from './skips.js';

interface RetrialTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly skips: Pick<Skips, 'has' | 'concern'>;
}

/**
 * Folds the events that were set aside, in order, from the document's row on, and removes the dead letters of folded
 * events. A repeated or concurrent run has the same result: a row only moves forward.
 */
export class Retrial<D extends object> {
  constructor(
    private readonly projection: Projection<D>,
    private readonly build: string,
    private readonly tools: RetrialTools,
  ) {}

  /** @param deadLetters all dead letters of one block, in log order */
  async of(letters: readonly DeadLetter[]): Promise<void> {
    const { document } = letters[0]!;
    if (document !== null) await this.ofDocument(document, letters);
    else if (isReleased(letters)) await this.ofStream(letters);
  }

  private async ofDocument(id: string, letters: readonly DeadLetter[]): Promise<void> {
    const [row = noRow<D>(id)] = (await this.tools.readModels.load(this.build, [id])) as Row<D>[];
    const folded = letters.filter(({ position }) => position <= row.position);
    if (folded.length > 0 && this.tools.skips.concern(id)) return this.ofPassed(id, row.position, letters);
    const ahead = letters.slice(folded.length);
    if (isReleased(ahead)) folded.push(...(await this.foldOn(row, ahead)));
    await remove(this.tools.readModels, folded);
  }

  /**
   * Folds the document again from the log: another process has folded the row past dead letters, perhaps without
   * knowledge of a skip.
   */
  private async ofPassed(id: string, reached: Position, letters: readonly DeadLetter[]): Promise<void> {
    const isPassed = (letter: DeadLetter) => letter.position <= reached;
    const failure = await failureIn(() => this.foldAnew([id], reached));
    if (failure !== null) return this.blockAgain(letters.find(isPassed)!, failure);
    await remove(this.tools.readModels, letters.filter(isPassed));
    const left = letters.filter((letter) => !isPassed(letter));
    if (left.length > 0) await this.ofDocument(id, left);
  }

  /** @returns the dead letters of the folded events; the next remaining dead letter gets its new error */
  private async foldOn(row: Row<D>, letters: readonly DeadLetter[]): Promise<readonly DeadLetter[]> {
    const events = new LetterEvents(letters, this.tools.store);
    let current = row;
    let done = 0;
    const failure = await failureIn(async () => {
      for (; done < letters.length; done++) current = await this.fold(current, letters[done]!, events);
    });
    if (current !== row) await this.tools.readModels.save(this.build, [current]);
    if (failure !== null) await this.blockAgain(letters[done]!, failure);
    return letters.slice(0, done);
  }

  private async fold(row: Row<D>, letter: DeadLetter, events: LetterEvents): Promise<Row<D>> {
    // The row moves past a skipped event, so that a process without knowledge of the skip does not fold the event.
    if (this.isSkipped(letter)) return { ...row, position: letter.position };
    const event = await events.of(letter);
    return touchedBy(this.projection, event).includes(row.id) ? foldedInto(this.projection, row, event) : row;
  }

  /** Other streams may have advanced these documents, so they are rebuilt from the log. */
  private async ofStream(letters: readonly DeadLetter[]): Promise<void> {
    const failure = await failureIn(async () => {
      const events = new LetterEvents(letters, this.tools.store);
      const ids = new Set<string>();
      for (const letter of letters) for (const id of await this.idsIn(letter, events)) ids.add(id);
      await this.foldAnew([...ids], letters.at(-1)!.position);
    });
    if (failure === null) await remove(this.tools.readModels, letters);
    else await this.blockAgain(letters[0]!, failure);
  }

  private async idsIn(letter: DeadLetter, events: LetterEvents): Promise<readonly string[]> {
    if (this.isSkipped(letter)) return [];
    return touchedBy(this.projection, await events.of(letter));
  }

  private foldAnew(ids: readonly string[], reached: Position): Promise<void> {
    return foldAnew(this.projection, this.build, ids, reached, this.tools);
  }

  private isSkipped({ document, event: eventId }: DeadLetter): boolean {
    return this.tools.skips.has({ document, eventId });
  }

  private blockAgain(letter: DeadLetter, error: unknown): Promise<void> {
    return amend(this.tools.readModels, {
      ...letter,
      error: messageOf(error instanceof Poison ? error.cause : error),
      first: true,
      retry: false,
    });
  }
}

/** Returns the error of the work, or null. An unavailable store is not an error of the event. */
async function failureIn(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return error;
  }
}
