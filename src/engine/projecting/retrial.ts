import type { Recorded } from '../../kernel/event.js';
import { StoreUnavailable, type EventStore } from '../../kernel/event-store.js';
import { later, START, type Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { messageOf } from '../patience.js';
import { amend, isReleased, remove, type DeadLetter } from './dead-letters.js';
import { foldedInto, noRow, Poison, touchedBy } from './folding.js';
import { refolded } from './refolded.js';
import type { Skips } from './skips.js';

interface RetrialTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly skips: Pick<Skips, 'has'>;
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
    if (folded.some((letter) => this.isSkipped(letter))) return this.ofPassed(id, row.position, letters);
    const ahead = letters.slice(folded.length);
    if (isReleased(ahead)) folded.push(...(await this.foldOn(row, ahead)));
    await remove(this.tools.readModels, folded);
  }

  /** The row is past an event that was skipped, and another process may have folded that event before the skip: the document is folded again. */
  private async ofPassed(id: string, reached: Position, letters: readonly DeadLetter[]): Promise<void> {
    const isPassed = (letter: DeadLetter) => letter.position <= reached && this.isSkipped(letter);
    const failure = await failureIn(() => this.foldAnew([id], reached));
    if (failure !== null) return this.blockAgain(letters.find(isPassed)!, failure);
    await remove(this.tools.readModels, letters.filter(isPassed));
    const left = letters.filter((letter) => !isPassed(letter));
    if (left.length > 0) await this.ofDocument(id, left);
  }

  /** @returns the letters of what is folded; the next one, if there is one left, has its new error */
  private async foldOn(row: Row<D>, letters: readonly DeadLetter[]): Promise<readonly DeadLetter[]> {
    let current = row;
    let done = 0;
    const failure = await failureIn(async () => {
      for (; done < letters.length; done++) current = await this.fold(current, letters[done]!);
    });
    if (current !== row) await this.tools.readModels.save(this.build, [current]);
    if (failure !== null) await this.blockAgain(letters[done]!, failure);
    return letters.slice(0, done);
  }

  private async fold(row: Row<D>, letter: DeadLetter): Promise<Row<D>> {
    // The row moves past a skipped event, so that a process which does not know of the skip yet does not fold it.
    if (this.isSkipped(letter)) return { ...row, position: letter.position };
    const event = await this.eventOf(letter);
    return touchedBy(this.projection, event).includes(row.id) ? foldedInto(this.projection, row, event) : row;
  }

  /** Other streams may have moved the same documents on meanwhile, and out of order nothing can be folded: they are folded anew. */
  private async ofStream(letters: readonly DeadLetter[]): Promise<void> {
    const failure = await failureIn(async () => {
      const ids = new Set<string>();
      for (const letter of letters) for (const id of await this.idsIn(letter)) ids.add(id);
      await this.foldAnew([...ids], letters.at(-1)!.position);
    });
    if (failure === null) await remove(this.tools.readModels, letters);
    else await this.blockAgain(letters[0]!, failure);
  }

  private async idsIn(letter: DeadLetter): Promise<readonly string[]> {
    if (this.isSkipped(letter)) return [];
    return touchedBy(this.projection, await this.eventOf(letter));
  }

  private async foldAnew(ids: readonly string[], reached: Position): Promise<void> {
    const { store, readModels } = this.tools;
    const kept = new Map((await readModels.load(this.build, ids)).map((row) => [row.id, row.position]));
    const rows = await refolded(this.projection, ids, [...kept.values()].reduce(later, reached), store);
    for (const row of rows) {
      const before = kept.get(row.id) ?? START;
      const isNothing = before === START && row.document === null;
      const replaced = isNothing || (await readModels.replace(this.build, { ...row, position: later(row.position, before) }, before));
      if (!replaced) return this.foldAnew(ids, reached);
    }
  }

  private isSkipped({ document, event: eventId }: DeadLetter): boolean {
    return this.tools.skips.has({ document, eventId });
  }

  private async eventOf({ stream, revision }: DeadLetter): Promise<Recorded> {
    for await (const event of this.tools.store.readStream(stream, { from: revision, limit: 1 })) return event;
    throw new Error(`${stream} has no revision ${revision}`);
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
