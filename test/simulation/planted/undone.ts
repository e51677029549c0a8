import type { Row } from '../../../src/kernel/read-models.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { Line, type Call } from '../line.js';
import type { Timeline } from '../timeline.js';
import { allOf, replace, type Plant } from './plant.js';

/** The time after which the primary with the unreplicated write is deposed. */
const UNDONE_AFTER_MS = 700;

type Rows = Map<string, Row>;

/**
 * Reads with majority concern never show a save that no majority has. With this mutation such a save is visible at
 * once,
 * its outcome is unknown to the caller, and then it is rolled back.
 */
export const undone: Plant = {
  name: 'a save without a majority is read and then rolled back',
  foundAt: 11,
  plant: () => {
    let by: Timeline | null = null;
    return allOf(
      replace(Line, 'meet', (line, meet, fate: string, call: Call<unknown>, caller: { givesUp(maybeWritten: boolean): void }) => {
        if (fate !== 'vanished' || call.port !== 'read models' || !call.what.startsWith('save ')) return meet(fate, call, caller);
        by = (line as Line).life.timeline;
        line.perform(call, () => caller.givesUp(true));
        by = null;
        return undefined;
      }),
      replace(MemoryReadModels, 'save', (store, save, collection: string, rows: readonly Row[]) => {
        const kept = store.collections.get(collection) as Rows;
        const before = rows.map(({ id }) => kept.get(id));
        const saved = save(collection, rows) as Promise<void>;
        by?.after(UNDONE_AFTER_MS, () => rows.forEach((row, i) => undo(kept, row, before[i])));
        return saved;
      }),
    );
  },
};

/** Restores the row before the save unless a later save has replaced it. */
function undo(kept: Rows, { id, position }: Row, before: Row | undefined): void {
  if (kept.get(id)?.position !== position) return;
  if (before === undefined) kept.delete(id);
  else kept.set(id, before);
}
