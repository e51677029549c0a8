import type { EncryptedField } from '../../kernel/encrypted-field.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  integer,
  list,
  nullable,
  object,
  personalString,
  ref,
  resource,
  type Schema,
  string,
  type ValueOf,
} from '../../kernel/schema.js';
import { IMPORT_STATUSES, type ImportResult, type MemberImportEvent } from '../domain/member-import.js';

/** The text in place of an address is not encrypted, and null in the stored document. */
const emailSchema: Schema<EncryptedField | string | null> = { schema: personalString.schema, personal: true };

const resultSchema = object({
  index: integer,
  email: emailSchema,
  status: enumOf(...IMPORT_STATUSES),
  user_id: nullable(id('usr')),
  member_id: nullable(id('mem')),
  error: nullable(object({ code: string, detail: string, field: string })),
});

/** `results` has the rows that are imported so far, in their order. */
export const memberImportSchema = resource('MemberImport', {
  id: id('imp'),
  object: enumOf('member_import'),
  community: ref('community', 'com'),
  total: integer,
  created: integer,
  updated: integer,
  unchanged: integer,
  failed: integer,
  results: list(resultSchema),
  created_at: dateTime,
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
