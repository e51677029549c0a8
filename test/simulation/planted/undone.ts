import type { Row } from '../../../src/kernel/read-models.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { Line, type Call } from '../line.js';
import type { Timeline } from '../timeline.js';
import { allOf, replace, type Plant } from './plant.js';

/** After so long the primary that alone had the write is deposed. */
const UNDONE_AFTER_MS = 700;

type Rows = Map<string, Row>;

/**
 * Where reads ask a majority, a save that no majority has cannot be seen: it comes later or never. With this fault it is seen at once,
 * its caller does not know what became of it, and then it is undone.
 */
export const undone: Plant = {
  name: 'a save that only one node has is read, and then undone',
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

/** What was saved on top of it has a majority. */
function undo(kept: Rows, { id, position }: Row, before: Row | undefined): void {
  if (kept.get(id)?.position !== position) return;
  if (before === undefined) kept.delete(id);
  else kept.set(id, before);
}
