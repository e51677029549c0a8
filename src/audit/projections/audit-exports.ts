import { uuidV5 } from '../../kernel/ids.js';
import { declareLists, type Owned } from '../../kernel/ownership.js';
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
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { type AuditExportEvent, EXPORT_ERRORS, EXPORT_FORMATS, type ExportRequest } from '../domain/audit-export.js';
import { chainHeadField, signedCheckpointFields } from './audit-checkpoints.js';

export const exportManifestField = object({
  object: enumOf('export_manifest'),
  export: ref('audit_export', 'exp'),
  business: nullable(id('biz')),
  format: enumOf(...EXPORT_FORMATS),
  count: integer,
  first_position: nullable(string),
  last_position: nullable(string),
  sha256: string,
  chain: chainHeadField,
  checkpoint: object(signedCheckpointFields),
});

export const auditExportSchema = resource('AuditExport', {
  id: id('exp'),
  object: enumOf('audit_export'),
  status: enumOf('pending', 'running', 'completed', 'failed'),
  format: enumOf(...EXPORT_FORMATS),
  recorded_from: nullable(dateTime),
  recorded_to: nullable(dateTime),
  types: list(string),
  resource: nullable(string),
  bytes: nullable(integer),
  manifest: nullable(exportManifestField),
  error: nullable(enumOf(...EXPORT_ERRORS)),
  created_at: dateTime,
  completed_at: nullable(dateTime),
  /** When the file was removed to make room for the files of newer exports; null: it was not. */
  file_removed_at: nullable(dateTime),
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
