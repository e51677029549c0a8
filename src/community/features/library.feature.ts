import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { addCounts, publish } from '../../kernel/public-event-definition.js';
import { LibraryAccess } from '../access/library-access.js';
import { libraryHandlers } from '../commands/library.commands.js';
import { libraryDownloadsDecider } from '../domain/library-downloads.js';
import { libraryResourceDecider } from '../domain/library-resource.js';
import { LibraryController } from '../http/library.controller.js';
import { libraryDownloads, libraryDownloadSchema } from '../projections/library-downloads.js';
import {
  deletedLibraryResourceSchema,
  libraryResources,
  libraryResourceSchema,
} from '../projections/library-resources.js';
import { completeDeletedResource } from '../publication-sources.js';
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
    publish({
      fact: 'LibraryResourceAdded',
      type: 'community.library_resource.created',
      summary: 'A resource was added',
      description: 'The library of a community got a resource.',
      projection: libraryResources,
      schema: libraryResourceSchema,
    }),
    publish({
      fact: 'LibraryResourceEdited',
      type: 'community.library_resource.updated',
      summary: 'A resource was changed',
      description: 'A library resource changed.',
      projection: libraryResources,
      schema: libraryResourceSchema,
      complete: addCounts(libraryResources),
      change: true,
    }),
    publish({
      fact: 'LibraryResourceDeleted',
      type: 'community.library_resource.deleted',
      summary: 'A resource was deleted',
      description: 'A resource was removed from the library of a community.',
      projection: libraryResources,
      schema: deletedLibraryResourceSchema,
      complete: completeDeletedResource,
    }),
  ],
  controllers: [LibraryController],
  providers: [LibraryAccess, ...libraryHandlers, ...libraryQueryHandlers],
};
