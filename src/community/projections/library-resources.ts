import { omitUndefined } from '../../kernel/omit-undefined.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  integer,
  nullable,
  ref,
  resource,
  string,
  uri,
} from '../../kernel/schema.js';
import type { LibraryDownloadsEvent } from '../domain/library-downloads.js';
import type { LibraryResourceContent, LibraryResourceEvent } from '../domain/library-resource.js';
import { deletedFields } from './deletions.js';

const libraryResourceFields = {
  id: id('res'),
  object: enumOf('library_resource'),
  community: ref('community', 'com'),
  title: string,
  description: nullable(string),
  file_url: nullable(uri),
  mime_type: nullable(string),
  size_bytes: nullable(integer),
  required_level: integer,
  download_count: integer,
  unique_download_count: integer,
  created_by: ref('user', 'usr'),
  created_at: dateTime,
  deleted_at: nullable(dateTime),
};

export const libraryResourceSchema = resource('LibraryResource', libraryResourceFields);
/** The answer to a deletion. */
export const deletedLibraryResourceSchema = resource('DeletedLibraryResource', {
  ...libraryResourceFields,
  ...deletedFields,
});

export interface LibraryResourceDocument extends DocumentOf<typeof libraryResourceSchema> {
  readonly _deletedBy: string | null;
}

export const libraryResources: Projection<LibraryResourceDocument, LibraryResourceEvent | LibraryDownloadsEvent> = {
  name: 'libraryResources',
  version: 1,
  counts: ['download_count', 'unique_download_count'],
  id: pickId('resourceId'),
  indexes: [['community.id', 'deleted_at', 'created_at']],
  totals: [['community.id', 'deleted_at']],
  on: {
    LibraryResourceAdded: (_, { data }) => ({
      id: data.resourceId,
      object: 'library_resource',
      community: toReference('community', data.communityId),
      title: data.title,
      description: data.description,
      file_url: data.fileUrl,
      mime_type: data.mimeType,
      size_bytes: data.sizeBytes,
      required_level: data.requiredLevel,
      download_count: 0,
      unique_download_count: 0,
      created_by: toReference('user', data.createdBy),
      created_at: data.at,
      deleted_at: null,
      _deletedBy: null,
    }),
    LibraryResourceEdited: (found, { data }) => found && { ...found, ...toContentFields(data.changes) },
    LibraryResourceDeleted: (found, { data }) => found && { ...found, deleted_at: data.at, _deletedBy: data.deletedBy },
    LibraryResourceDownloaded: (found, { data }) =>
      found && {
        ...found,
        download_count: found.download_count + 1,
        unique_download_count: found.unique_download_count + (data.isFirst ? 1 : 0),
      },
  },
};

function toContentFields({ fileUrl, mimeType, sizeBytes, requiredLevel, ...same }: Partial<LibraryResourceContent>) {
  return omitUndefined({
    ...same,
    file_url: fileUrl,
    mime_type: mimeType,
    size_bytes: sizeBytes,
    required_level: requiredLevel,
  });
}

export type DeletedLibraryResource = DocumentOf<typeof deletedLibraryResourceSchema>;

/** Returns the resource as a viewer sees it: without its file below the required level. */
export function showLibraryResource(found: LibraryResourceDocument, level: number): LibraryResourceDocument {
  return level >= found.required_level ? found : { ...found, file_url: null };
}
