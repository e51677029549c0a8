import type { IndexDescription } from 'mongodb';
import type { Shape } from '../../kernel/read-models.js';
import { fieldOf } from './documents.js';

/** Tombstones alone, in the order in which they are swept. */
export const TOMBSTONES: IndexDescription = { name: 'tombstones', key: { position: 1 }, partialFilterExpression: { live: false } };

export function collectionNameOf(collection: string): string {
  return `documents.${collection}`;
}

/**
 * Every list begins with what is no tombstone and ends with the id, so that an index holds its whole order. A total is counted by ranges
 * of ids, in an index of its own paths.
 */
export function indexesOf({ indexes: dense, sparse = [], totals = [] }: Shape): IndexDescription[] {
  const all = [...dense, ...sparse, ...totals.map((total) => [...total].sort())].map(withoutLastId);
  return [...new Map(all.map((paths) => [nameOf(paths), { name: nameOf(paths), key: keyOf(paths) }])).values()];
}

/** Which comes last anyhow. */
function withoutLastId(paths: readonly string[]): readonly string[] {
  return paths.at(-1) === 'id' ? paths.slice(0, -1) : paths;
}

function nameOf(paths: readonly string[]): string {
  return `by ${paths.join(', ')}`;
}

function keyOf(paths: readonly string[]): Record<string, 1> {
  return Object.fromEntries(['live', ...paths.map(fieldOf), '_id'].map((field) => [field, 1]));
}
