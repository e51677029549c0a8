import type { Row } from '../../../src/kernel/read-models.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { type StoreCall, StoreConnection } from '../store-connection.js';
import type { Timeline } from '../timeline.js';
import { combine, type Mutation, replaceMethod } from './mutation.js';

/** The time after which the primary with the unreplicated write is deposed. */
const ROLLBACK_AFTER_MS = 700;

type Rows = Map<string, Row>;

/**
 * Reads with majority concern never show a save that no majority has. With this mutation such a save is visible at
 * once,
 * its outcome is unknown to the caller, and then it is rolled back.
 */
export const rolledBackSave: Mutation = {
  name: 'a save without a majority is read and then rolled back',
  foundAt: 27,
  insert: () => {
    let by: Timeline | null = null;
    return combine(
      replaceMethod(
        StoreConnection,
        'applyFate',
        (line, meet, fate: string, call: StoreCall<unknown>, caller: { givesUp(maybeWritten: boolean): void }) => {
          if (fate !== 'vanished' || call.port !== 'read models' || !call.description.startsWith('upsert '))
            return meet(fate, call, caller);
          by = (line as StoreConnection).lifecycle.timeline;
          line.perform(call, () => caller.givesUp(true));
          by = null;
          return undefined;
        },
      ),
      replaceMethod(MemoryReadModels, 'upsert', (store, save, collection: string, rows: readonly Row[]) => {
        const kept = store.collections.get(collection) as Rows;
        const before = rows.map(({ id }) => kept.get(id));
        const saved = save(collection, rows) as Promise<void>;
        by?.after(ROLLBACK_AFTER_MS, () => rows.forEach((row, i) => rollBack(kept, row, before[i])));
        return saved;
      }),
    );
  },
};

/** Restores the row before the save unless a later save has replaced it. */
function rollBack(kept: Rows, { id, position }: Row, before: Row | undefined): void {
  if (kept.get(id)?.position !== position) return;
  if (before === undefined) kept.delete(id);
  else kept.set(id, before);
}
