import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { dateTime, type DocumentOf, enumOf, id, integer, ref, resource, uri } from '../../kernel/schema.js';
import type { LibraryDownloadsEvent } from '../domain/library-downloads.js';

const downloadFields = {
  id: id('dl'),
  object: enumOf('library_download'),
  resource: ref('library_resource', 'res'),
  user: ref('user', 'usr'),
  download_url: uri,
  downloaded_at: dateTime,
};

/** The data of the public event. */
export const libraryDownloadSchema = resource('LibraryDownload', downloadFields);
/** The answer to a download. */
export const countedDownloadSchema = resource('CountedLibraryDownload', {
  ...downloadFields,
  resource_download_count: integer,
});

export type CountedDownload = DocumentOf<typeof countedDownloadSchema>;

/** Renders a download. It is not a read model. */
export const libraryDownloads: Projection<DocumentOf<typeof libraryDownloadSchema>, LibraryDownloadsEvent> = {
  name: 'libraryDownloads',
  version: 1,
  id: pickId('downloadId'),
  indexes: [],
  on: {
    LibraryResourceDownloaded: (_, { data }) => ({
      id: data.downloadId,
      object: 'library_download',
      resource: toReference('library_resource', data.resourceId),
      user: toReference('user', data.userId),
      download_url: data.fileUrl,
      downloaded_at: data.at,
    }),
  },
};
