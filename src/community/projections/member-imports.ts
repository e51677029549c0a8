import type { EncryptedField } from '../../kernel/encrypted-field.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  describe,
  type DocumentOf,
  enumOf,
  id,
  integer,
  list,
  nullable,
  object,
  personalString,
  resource,
  type Schema,
  string,
  type ValueOf,
} from '../../kernel/schema.js';
import { IMPORT_STATUSES, type ImportResult, type MemberImportEvent } from '../domain/member-import.js';
import { communityFields, creationTime } from './fields.js';

/** The text in place of an address is not encrypted, and null in the stored document. */
const emailSchema: Schema<EncryptedField | string | null> = { schema: personalString.schema, personal: true };

const resultSchema = object({
  index: describe(integer, 'The place of the row in the request, from 0.', 0),
  email: describe(
    emailSchema,
    'The e-mail address of the row; null once the person is forgotten. A text that is no address is shown in the answer to the import alone, and is null later.',
  ),
  status: describe(
    enumOf(...IMPORT_STATUSES),
    'Whether the row added a member (`created`), changed one (`updated`), had no effect (`unchanged`), or is invalid (`failed`).',
  ),
  user_id: describe(nullable(id('usr')), 'The id of the user of the row; null for a failed row.'),
  member_id: describe(nullable(id('mem')), 'The id of the member of the row; null for a failed row.'),
  error: describe(
    nullable(
      object({
        code: describe(string, 'The code of this error.', 'invalid_email'),
        detail: describe(string, 'The error in a sentence.', 'Not an e-mail address.'),
        field: describe(string, 'The path of the invalid field in the request.', 'members[2].email'),
      }),
    ),
    'The reason for which the row failed; null for other rows.',
  ),
});

export const memberImportSchema = resource('MemberImport', {
  ...communityFields('member_import', 'imp'),
  total: describe(integer, 'The number of rows in the request.'),
  created: describe(integer, 'The number of rows that added a member, so far.'),
  updated: describe(integer, 'The number of rows that changed a member, so far.', 0),
  unchanged: describe(integer, 'The number of rows without an effect, so far.', 0),
  failed: describe(integer, 'The number of invalid rows, so far.', 0),
  results: describe(list(resultSchema), 'The results of the rows that are imported so far, in their order.'),
  created_at: creationTime,
});

type Result = ValueOf<typeof resultSchema>;

export interface MemberImportDocument extends DocumentOf<typeof memberImportSchema> {
  readonly _emails: readonly Result['email'][];
}

export const memberImports: Projection<MemberImportDocument, MemberImportEvent> = {
  name: 'memberImports',
  version: 2,
  id: pickId('importId'),
  indexes: [],
  on: {
    MemberImportRequested: (_, { data }) => ({
      id: data.importId,
      object: 'member_import',
      community: toReference('community', data.communityId),
      total: data.rows.length,
      ...{ created: 0, updated: 0, unchanged: 0, failed: 0 },
      results: [],
      created_at: data.at,
      _emails: data.rows.map(({ email }) => email),
    }),
    MemberRowsImported: (found, { data }) => found && addResults(found, data.from, data.results),
  },
};

function addResults(found: MemberImportDocument, from: number, added: readonly ImportResult[]): MemberImportDocument {
  const results = added.map(({ status, userId, memberId, error }, i) => {
    const index = from + i;
    return { index, email: found._emails[index] ?? null, status, user_id: userId, member_id: memberId, error };
  });
  const count = (wanted: ImportResult['status']) =>
    found[wanted] + added.filter(({ status }) => status === wanted).length;
  return {
    ...found,
    results: [...found.results, ...results],
    ...{ created: count('created'), updated: count('updated') },
    ...{ unchanged: count('unchanged'), failed: count('failed') },
  };
}
