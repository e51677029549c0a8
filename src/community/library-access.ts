import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import type { CallerContext } from '../identity/caller.js';
import { Rejection } from '../kernel/rejection.js';
import { CommunityAccess, type CommunityViewer } from './community-access.js';
import type { CommunityAction } from './domain/community-role.js';
import { type KnownLibraryResource, libraryResourceDecider } from './domain/library-resource.js';

export interface ViewedLibraryResource {
  readonly resource: KnownLibraryResource;
  readonly viewer: CommunityViewer;
}

/** Decides which library resources a caller may use. */
@Injectable()
export class LibraryAccess {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
  ) {}

  /** Requires a resource, which may be deleted. @throws Rejection not_found, permission_denied … */
  async require(id: string, context: CallerContext, action: CommunityAction): Promise<ViewedLibraryResource> {
    const resource = await this.streams.loadState(libraryResourceDecider, id);
    if (resource.status === 'unknown') throw Rejection.notFound();
    return { resource, viewer: await this.access.requireInner(resource.communityId, context, action) };
  }

  async requireAvailable(id: string, context: CallerContext, action: CommunityAction): Promise<ViewedLibraryResource> {
    const viewed = await this.require(id, context, action);
    if (viewed.resource.status === 'deleted') throw Rejection.notFound();
    return viewed;
  }
}
