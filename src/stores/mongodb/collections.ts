import type { IndexDescription } from 'mongodb';
import type { CollectionSchema } from '../../kernel/read-models.js';
import { fieldOf } from './documents.js';

/** An index of only the tombstones, in the order in which they are deleted. */
export const TOMBSTONES: IndexDescription = {
  name: 'tombstones',
  key: { position: 1 },
  partialFilterExpression: { live: false },
};

export function collectionNameOf(collection: string): string {
  return `documents.${collection}`;
}

/**
 * Returns the indexes of a schema. Every index begins with `live` and ends with the id, so that it has the complete
 * order of a list. A group is counted by ranges of ids, in an index of its own paths.
 */
export function toIndexes(schema: CollectionSchema): IndexDescription[] {
  const { indexes: dense, sparse = [] } = schema;
  const all = [...dense, ...sparse, ...listCountedGroups(schema).map((group) => [...group].sort())].map(removeLastId);
  return [
    ...new Map(all.map((paths) => [indexNameOf(paths), { name: indexNameOf(paths), key: toIndexKey(paths) }])).values(),
  ];
}

export function listCountedGroups({ totals = [], hourly = [] }: CollectionSchema): (readonly string[])[] {
  return [...totals, ...hourly.map(({ group }) => group)];
}

export function groupIndexOf(group: readonly string[]): string {
  return indexNameOf(removeLastId([...group].sort()));
}

/** Every index ends with the id anyway. */
function removeLastId(paths: readonly string[]): readonly string[] {
  return paths.at(-1) === 'id' ? paths.slice(0, -1) : paths;
}

function indexNameOf(paths: readonly string[]): string {
  return `by ${paths.join(', ')}`;
}

function toIndexKey(paths: readonly string[]): Record<string, 1> {
  return Object.fromEntries(['live', ...paths.map(fieldOf), '_id'].map((field) => [field, 1]));
}
