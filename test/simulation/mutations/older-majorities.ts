import type { Row } from '../../../src/kernel/read-models.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { type StoreCall, StoreConnection } from '../store-connection.js';
import { combine, type Mutation, replaceMethod } from './mutation.js';

/** The number of acknowledged saves between two elections. */
const SAVES_PER_TERM = 20;

/**
 * A new primary has every acknowledged save, but it may answer a majority read from an older majority until it has
 * committed a write of its own. The adapter commits one before it reads; with this mutation it does not.
 */
export const olderMajority: Mutation = {
  name: 'a new primary is read before it has committed a write',
  foundAt: 1,
  insert: () => {
    let saves = 0;
    let isRead = false;
    /** The rows of the older majority, from an election to the next save. */
    let older: ReadonlyMap<string, Row | undefined> = new Map();
    return combine(
      replaceMethod(StoreConnection, 'perform', (_, perform, call: StoreCall<unknown>, then: unknown) => {
        isRead = call.description.startsWith('load ');
        perform(call, then);
        isRead = false;
      }),
      replaceMethod(MemoryReadModels, 'upsert', (store, save, collection: string, rows: readonly Row[]) => {
        const kept = store.collections.get(collection) as ReadonlyMap<string, Row>;
        const isElected = ++saves % SAVES_PER_TERM === 0;
        older = new Map(isElected ? rows.map(({ id }) => [`${collection} ${id}`, kept.get(id)]) : []);
        return save(collection, rows);
      }),
      replaceMethod(MemoryReadModels, 'load', async (_, load, collection: string, ids: readonly string[]) => {
        const shown = isRead ? older : new Map<string, Row | undefined>();
        const rows = (await load(collection, ids)) as readonly Row[];
        return ids.flatMap((id) => {
          const key = `${collection} ${id}`;
          return (shown.has(key) ? shown.get(key) : rows.find((row) => row.id === id)) ?? [];
        });
      }),
    );
  },
};
