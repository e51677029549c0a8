import { omitUndefined } from '../../kernel/omit-undefined.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { describe, type DocumentOf, integer, nullable, resource, string, uri } from '../../kernel/schema.js';
import type { LibraryDownloadsEvent } from '../domain/library-downloads.js';
import type { LibraryResourceContent, LibraryResourceEvent } from '../domain/library-resource.js';
import { deletedFields } from './deletions.js';
import { communityFields, creationTime, creatorReference, deletionTime } from './fields.js';

const libraryResourceFields = {
  ...communityFields('library_resource', 'res'),
  title: describe(string, 'The title that members see.', 'Guide for new members'),
  description: describe(nullable(string), 'The text about the file; null for none.', 'How to begin'),
  file_url: describe(
    nullable(uri),
    'The address of the file; null for a member below the required level.',
    'https://example.com/guide.pdf',
  ),
  mime_type: describe(nullable(string), 'The media type of the file; null when it is unknown.', 'application/pdf'),
  size_bytes: describe(nullable(integer), 'The size of the file, in bytes; null when it is unknown.', 102_400),
  required_level: describe(integer, 'The lowest level of a member who may download it; 0 admits all members.', 0),
  download_count: describe(integer, 'The number of downloads, repeated ones included.'),
  unique_download_count: describe(integer, 'The number of users who have downloaded the file.'),
  created_by: creatorReference,
  created_at: creationTime,
  deleted_at: deletionTime,
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
