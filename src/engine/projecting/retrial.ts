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
 * Folds what was set aside, in order, from the document's row on, and takes away the letters of what is in it by now, whoever folded it.
 * Done twice, or by two processes at once, it comes to the same: a row only moves forward.
 */
export class Retrial<D extends object> {
  constructor(
    private readonly projection: Projection<D>,
    private readonly build: string,
    private readonly tools: RetrialTools,
  ) {}

  /** @param letters all of one block, in the order of the log */
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

  /** Another process has folded the row past letters, perhaps before it knew of a skip: the document is folded again. */
  private async ofPassed(id: string, reached: Position, letters: readonly DeadLetter[]): Promise<void> {
    const isPassed = (letter: DeadLetter) => letter.position <= reached;
    const failure = await failureIn(() => this.foldAnew([id], reached));
    if (failure !== null) return this.blockAgain(letters.find(isPassed)!, failure);
    await remove(this.tools.readModels, letters.filter(isPassed));
    const left = letters.filter((letter) => !isPassed(letter));
    if (left.length > 0) await this.ofDocument(id, left);
  }

  /** @returns the letters of what is folded; the next one, if there is one left, has its new error */
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
    // The row moves past a skipped event, so that a process which does not know of the skip yet does not fold it.
    if (this.isSkipped(letter)) return { ...row, position: letter.position };
    const event = await events.of(letter);
    return touchedBy(this.projection, event).includes(row.id) ? foldedInto(this.projection, row, event) : row;
  }

  /** Other streams may have moved the same documents on meanwhile, and out of order nothing can be folded: they are folded anew. */
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

/** What the work failed with, or null; a store that is away is no failure of the event's. */
async function failureIn(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return error;
  }
}
