import { uuidV5 } from '../../kernel/ids.js';
import { declareLists, type Owned } from '../../kernel/ownership.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  id,
  integer,
  KIND,
  list,
  nullable,
  object,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { type AuditExportEvent, EXPORT_ERRORS, EXPORT_FORMATS, type ExportRequest } from '../domain/audit-export.js';
import { chainHeadField, signedCheckpointFields } from './audit-checkpoints.js';

const fileFormat = describe(
  enumOf(...EXPORT_FORMATS),
  'The format of the file: complete (`ndjson`), or flat for spreadsheets (`csv`).',
);

export const exportManifestField = object({
  object: describe(enumOf('export_manifest'), KIND),
  export: describe(ref('audit_export', 'exp'), 'The export that the manifest belongs to.'),
  business: describe(
    nullable(id('biz')),
    'The id of the business whose events the file contains; null for events that belong to no business.',
  ),
  format: fileFormat,
  count: describe(integer, 'The number of exported events, without those of which the file has only the hash.', 120),
  first_position: describe(
    nullable(string),
    'The position of the first exported event in the log; null without events.',
    '0000000000001769',
  ),
  last_position: describe(
    nullable(string),
    'The position of the last exported event in the log; null without events.',
    '0000000000001769',
  ),
  sha256: describe(
    string,
    'The SHA-256 of the file, in hexadecimal digits.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  chain: describe(chainHeadField, 'The head of the hash chain at the end of the file.'),
  checkpoint: describe(object(signedCheckpointFields), 'The signed head of the hash chain at the end of the file.'),
});

export const auditExportSchema = resource('AuditExport', {
  id: describe(id('exp'), 'The id of this object; it never changes.'),
  object: describe(enumOf('audit_export'), KIND),
  status: describe(
    enumOf('pending', 'running', 'completed', 'failed'),
    'Whether the export waits (`pending`), is being written (`running`), or has ended with a file (`completed`) or without one (`failed`).',
  ),
  format: fileFormat,
  recorded_from: describe(
    nullable(dateTime),
    'The start of the time range of the exported events (inclusive); null for no start.',
  ),
  recorded_to: describe(
    nullable(dateTime),
    'The end of the time range of the exported events (inclusive); null for no end.',
  ),
  types: describe(list(string), 'The types of the exported events; an empty list means every type.', [
    'ProductCreated',
  ]),
  resource: describe(
    nullable(string),
    'The id of the resource whose events are exported; null for all resources.',
    'prod_01kg9p6je0grr0rycz01afc5br',
  ),
  bytes: describe(nullable(integer), 'The size of the file in bytes; null without a completed file.', 48211),
  manifest: describe(
    nullable(exportManifestField),
    'The contents of the file, and the signed head that proves them; null without a completed file.',
  ),
  error: describe(
    nullable(enumOf(...EXPORT_ERRORS)),
    'Why the export failed: the hash chain does not fit the log (`chain_mismatch`), or the file would be too large (`file_too_large`). It is null otherwise.',
  ),
  created_at: describe(dateTime, 'The time at which this object was created.'),
  completed_at: describe(
    nullable(dateTime),
    'The time at which the export was completed or failed, or null before that.',
  ),
  file_removed_at: describe(
    nullable(dateTime),
    'The time at which the file was removed to make room for the files of newer exports, or null before that.',
  ),
});

export interface AuditExportDocument extends DocumentOf<typeof auditExportSchema>, Owned {
  readonly _checkpoint: NonNullable<DocumentOf<typeof auditExportSchema>['manifest']>['checkpoint'] | null;
  /** Whether the file counts towards the limit of the business. */
  readonly _keepsFile: boolean;
  /** Equal for exports of the same events in the same format. */
  readonly _filter: string;
}

const FILTER_NAMESPACE = '5b0c7a52-3c1f-5f0e-9d6a-2f1f6a7d9e44';

const lists = declareLists([[]], [['_filter']]);

export const auditExports: Projection<AuditExportDocument, AuditExportEvent> = {
  name: 'auditExports',
  version: 2,
  id: pickId('exportId'),
  ...lists,
  indexes: [...lists.indexes, ['_business', '_keepsFile', 'created_at']],
  on: {
    AuditExportRequested: (_, { data }) => ({
      id: data.exportId,
      object: 'audit_export',
      status: 'pending',
      format: data.format,
      recorded_from: data.recordedFrom,
      recorded_to: data.recordedTo,
      types: data.types,
      resource: data.resource,
      ...{ bytes: null, manifest: null, error: null },
      created_at: data.at,
      ...{ completed_at: null, file_removed_at: null },
      _business: data.businessId,
      _mode: data.mode,
      _checkpoint: null,
      _keepsFile: false,
      _filter: filterIdOf(data),
    }),
    AuditExportStarted: (found, { data }) => found && { ...found, status: 'running', _checkpoint: data.checkpoint },
    AuditExportCompleted: (found, { data: { count, firstPosition, lastPosition, sha256, bytes, at } }) =>
      found && {
        ...found,
        ...{ status: 'completed', bytes, completed_at: at, _keepsFile: true },
        manifest: toManifest(found, { count, first_position: firstPosition, last_position: lastPosition, sha256 }),
      },
    AuditExportFailed: (found, { data }) =>
      found && { ...found, status: 'failed', error: data.error, completed_at: data.at },
    AuditExportFileRemoved: (found, { data }) => found && { ...found, file_removed_at: data.at, _keepsFile: false },
    AuditExportDeleted: () => null,
  },
};

export function filterIdOf({ format, recordedFrom, recordedTo, types, resource: id }: ExportRequest): string {
  return uuidV5(FILTER_NAMESPACE, JSON.stringify([format, recordedFrom, recordedTo, [...types].sort(), id]));
}

type Manifest = NonNullable<AuditExportDocument['manifest']>;

function toManifest(
  { id: exportId, format, _business, _checkpoint }: AuditExportDocument,
  file: Pick<Manifest, 'count' | 'first_position' | 'last_position' | 'sha256'>,
): Manifest {
  const checkpoint = _checkpoint!;
  return {
    object: 'export_manifest',
    export: toReference('audit_export', exportId),
    business: _business,
    format,
    ...file,
    chain: { count: checkpoint.count, head: checkpoint.head },
    checkpoint,
  };
}
