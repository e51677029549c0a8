import { collectionOf, type Projection } from '../../kernel/projection.js';
import type { Registry } from '../registry.js';
import { BuildRefused, type Entry } from './catalogue.js';

/**
 * Returns the newest version in the code (`products` → `products@2`); a full version name is returned as it is.
 * @throws BuildRefused
 */
export function resolveVersion(asked: string, { projections }: Registry, entries: ReadonlyMap<string, Entry>): string {
  const newest = projections.filter(({ name }) => name === asked).sort((a, b) => b.version - a.version)[0];
  if (newest !== undefined) return collectionOf(newest);
  const isKnown = entries.has(asked) || projections.some((projection) => collectionOf(projection) === asked);
  if (!isKnown) throw new BuildRefused(`there is no projection ${asked}`);
  return asked;
}

/** @throws BuildRefused */
export function resolveProjection(name: string, { projections }: Registry): Projection<object> {
  const found = projections.find((projection) => collectionOf(projection) === name) as Projection<object> | undefined;
  if (found === undefined) throw new BuildRefused(`the code no longer has ${name}`);
  return found;
}
