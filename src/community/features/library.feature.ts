import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { LibraryAccess } from '../access/library-access.js';
import { libraryHandlers } from '../commands/library.commands.js';
import { libraryDownloadsDecider } from '../domain/library-downloads.js';
import { libraryResourceDecider } from '../domain/library-resource.js';
import { LibraryController } from '../http/library.controller.js';
import { libraryDownloads, libraryDownloadSchema } from '../projections/library-downloads.js';
import { libraryResources } from '../projections/library-resources.js';
import { libraryQueryHandlers } from '../queries/library.queries.js';

const resource = createAuditedResource('library_resource', libraryResources, [
  'download_count',
  'unique_download_count',
]);
const download = createAuditedResource('library_download', libraryDownloads);

export const libraryFeature: Feature = {
  streams: [
    auditStream(libraryResourceDecider, resource),
    auditStream(libraryDownloadsDecider, nameByKey(download, 'downloadId')),
  ],
  projections: [libraryResources],
  publicEvents: [
    publish({
      fact: 'LibraryResourceDownloaded',
      type: 'community.library_resource.downloaded',
      summary: 'A resource was downloaded',
      description: 'A member downloaded a library resource.',
      projection: libraryDownloads,
      schema: libraryDownloadSchema,
      alone: true,
    }),
  ],
  controllers: [LibraryController],
  providers: [LibraryAccess, ...libraryHandlers, ...libraryQueryHandlers],
};
