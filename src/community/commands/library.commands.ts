import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { CountedStreams } from '../../engine/read-models/counted-streams.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { toReference } from '../../kernel/reference.js';
import { CommunityAccess, requireMembership } from '../access/community-access.js';
import { LibraryAccess } from '../access/library-access.js';
import { libraryDownloadsDecider, libraryDownloadsIdOf } from '../domain/library-downloads.js';
import { type LibraryResourceContent, libraryResourceDecider } from '../domain/library-resource.js';
import { markDeleted } from '../projections/deletions.js';
import type { CountedDownload } from '../projections/library-downloads.js';
import {
  type DeletedLibraryResource,
  type LibraryResourceDocument,
  libraryResources,
} from '../projections/library-resources.js';

interface ResourceId {
  readonly id: string;
}

export class AddLibraryResource extends ContextCommand<
  { communityId: string; content: LibraryResourceContent },
  LibraryResourceDocument,
  CallerContext
> {}

@CommandHandler(AddLibraryResource)
export class AddLibraryResourceHandler implements ICommandHandler<AddLibraryResource> {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context: request, params: { communityId, content } }: AddLibraryResource) {
    const { context } = await this.access.require(communityId, request, 'moderate');
    const resourceId = idOf('res', context.at, context.commandId);
    const resource = { resourceId, communityId, createdBy: requireUserId(context), ...content };
    const command = { type: 'AddLibraryResource', resource } as const;
    const outcome = await this.streams.execute(libraryResourceDecider, resourceId, command, context);
    return outcome.render(libraryResources, resourceId);
  }
}

export class EditLibraryResource extends ContextCommand<
  ResourceId & { content: Partial<LibraryResourceContent> },
  LibraryResourceDocument,
  CallerContext
> {}

@CommandHandler(EditLibraryResource)
export class EditLibraryResourceHandler implements ICommandHandler<EditLibraryResource> {
  constructor(
    private readonly access: LibraryAccess,
    private readonly counted: CountedStreams,
  ) {}

  async execute({ context: request, params: { id, content } }: EditLibraryResource): Promise<LibraryResourceDocument> {
    const { viewer } = await this.access.requireAvailable(id, request, 'moderate');
    return this.counted.change(
      libraryResourceDecider,
      libraryResources,
      id,
      { type: 'EditLibraryResource', content },
      viewer.context,
    );
  }
}

export class DeleteLibraryResource extends ContextCommand<ResourceId, DeletedLibraryResource, CallerContext> {}

@CommandHandler(DeleteLibraryResource)
export class DeleteLibraryResourceHandler implements ICommandHandler<DeleteLibraryResource> {
  constructor(
    private readonly access: LibraryAccess,
    private readonly counted: CountedStreams,
  ) {}

  async execute({ context: request, params: { id } }: DeleteLibraryResource): Promise<DeletedLibraryResource> {
    const { viewer } = await this.access.require(id, request, 'remove');
    const command = { type: 'DeleteLibraryResource', userId: requireUserId(request) } as const;
    return markDeleted(
      await this.counted.change(libraryResourceDecider, libraryResources, id, command, viewer.context),
    );
  }
}

export class RecordDownload extends ContextCommand<ResourceId, CountedDownload, CallerContext> {}

@CommandHandler(RecordDownload)
export class RecordDownloadHandler implements ICommandHandler<RecordDownload> {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly communityAccess: CommunityAccess,
    private readonly access: LibraryAccess,
  ) {}

  async execute({ context: request, params: { id: resourceId } }: RecordDownload): Promise<CountedDownload> {
    const { resource, viewer } = await this.access.requireAvailable(resourceId, request, 'participate');
    const { userId } = requireMembership(viewer);
    const { fileUrl, requiredLevel } = resource.content;
    await this.communityAccess.requireLevel(viewer, requiredLevel);

    const { context } = viewer;
    const downloadId = idOf('dl', context.at, context.commandId);
    const download = { downloadId, resourceId, communityId: resource.communityId, userId, fileUrl };
    const command = { type: 'RecordDownload', ...download } as const;
    const stream = libraryDownloadsIdOf(resourceId, userId);
    const { state } = await this.streams.execute(libraryDownloadsDecider, stream, command, context);
    return {
      id: downloadId,
      object: 'library_download',
      resource: toReference('library_resource', resourceId),
      user: toReference('user', userId),
      download_url: fileUrl,
      downloaded_at: state.latest!.at,
      resource_download_count: await this.countDownloads(resourceId, context),
    };
  }

  private async countDownloads(resourceId: string, { consistency }: Context): Promise<number> {
    return (await this.reader.get(libraryResources, resourceId, consistency))?.download_count ?? 0;
  }
}

export const libraryHandlers = [
  AddLibraryResourceHandler,
  EditLibraryResourceHandler,
  DeleteLibraryResourceHandler,
  RecordDownloadHandler,
];
