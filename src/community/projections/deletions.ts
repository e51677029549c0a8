import { toReference } from '../../kernel/reference.js';
import { boolean, describe, ref } from '../../kernel/schema.js';

/** The fields that the answer to a deletion adds to the resource. */
export const deletedFields = {
  deleted: describe(boolean, 'Always true: the object is deleted.', true),
  deleted_by: describe(ref('user', 'usr'), 'The user who deleted this object.'),
};

/** Returns the answer to a deletion: the deleted document with its deletion. */
export function markDeleted<D extends { readonly _deletedBy: string | null }>(document: D) {
  return { ...document, deleted: true, deleted_by: toReference('user', document._deletedBy!) };
}
