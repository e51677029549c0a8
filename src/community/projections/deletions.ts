import { toReference } from '../../kernel/reference.js';
import { boolean, dateTime, enumOf, id, ref, resource } from '../../kernel/schema.js';

/** The fields that the answer to a deletion adds to the resource. */
export const deletedFields = { deleted: boolean, deleted_by: ref('user', 'usr') };

/** Returns the answer to a deletion: the deleted document with its deletion. */
export function markDeleted<D extends { readonly _deletedBy: string | null }>(document: D) {
  return { ...document, deleted: true, deleted_by: toReference('user', document._deletedBy!) };
}

interface Deletion {
  readonly communityId: string;
  readonly deletedBy: string;
  readonly at: string;
}

/** The data of the public event of a deletion. */
export const deletionSchema = <const O extends string>(name: string, object: O, prefix: string) =>
  resource(name, {
    id: id(prefix),
    object: enumOf(object),
    community: ref('community', 'com'),
    deleted: boolean,
    deleted_at: dateTime,
    deleted_by: ref('user', 'usr'),
  });

export function toDeletion<O extends string>(object: O, id: string, { communityId, deletedBy, at }: Deletion) {
  return {
    id,
    object,
    community: toReference('community', communityId),
    deleted: true,
    deleted_at: at,
    deleted_by: toReference('user', deletedBy),
  };
}
