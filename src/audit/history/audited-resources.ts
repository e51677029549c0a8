import type { AuditedResource } from '../../kernel/audited-stream.js';
import { derive } from '../../kernel/declarations.js';

/** A kind of resource in the API, and the category of its own streams; null: its events are in other streams. */
export interface ResourceKind extends AuditedResource {
  readonly projection: NonNullable<AuditedResource['projection']>;
  readonly category: string | null;
}

const deriveKinds = derive(({ streams }) => {
  const categories = new Map(streams.map(({ owner, category }) => [owner, category]));
  const resources = streams.flatMap(({ namings }) => Object.values(namings).map(({ resource }) => resource));
  return new Map(
    resources.map((resource) => [resource.object, { ...resource, category: categories.get(resource) ?? null }]),
  );
});

/** Finds a kind of resource; null for a kind that the API never shows. */
export function findResourceKind(object: string): ResourceKind | null {
  const kind = deriveKinds().get(object);
  return kind === undefined || kind.projection === null ? null : (kind as ResourceKind);
}

/** Returns the fields of the document that the history shows: no hidden ones, and none that other streams determine. */
export function toShownFields({ omits }: AuditedResource, document: object | null): object | null {
  if (document === null) return null;
  return Object.fromEntries(
    Object.entries(document).filter(([name]) => !name.startsWith('_') && !omits.includes(name)),
  );
}
