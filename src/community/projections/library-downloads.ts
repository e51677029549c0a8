import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { dateTime, describe, type DocumentOf, integer, ref, resource, uri } from '../../kernel/schema.js';
import type { LibraryDownloadsEvent } from '../domain/library-downloads.js';
import { idFields } from './fields.js';

const downloadFields = {
  ...idFields('library_download', 'dl'),
  resource: describe(ref('library_resource', 'res'), 'The resource that was downloaded.'),
  user: describe(ref('user', 'usr'), 'The user who downloaded it.'),
  download_url: describe(uri, 'The address of the file at the time of the download.', 'https://example.com/guide.pdf'),
  downloaded_at: describe(dateTime, 'The time of the download.'),
};

/** The data of the public event. */
export const libraryDownloadSchema = resource('LibraryDownload', downloadFields);
/** The answer to a download. */
export const countedDownloadSchema = resource('CountedLibraryDownload', {
  ...downloadFields,
  resource_download_count: describe(integer, 'The number of downloads of the resource so far.', 1),
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
