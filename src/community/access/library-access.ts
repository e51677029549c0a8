import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { canModerate, type CommunityAction, type CommunityRole } from '../domain/community-role.js';
import { type KnownLibraryResource, libraryResourceDecider } from '../domain/library-resource.js';
import { CommunityAccess, type CommunityViewer } from './community-access.js';

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

  /** Requires a resource. Only moderators see a deleted one. @throws Rejection not_found, permission_denied … */
  async require(id: string, context: CallerContext, action: CommunityAction): Promise<ViewedLibraryResource> {
    return this.requireVisible(id, context, action, canModerate);
  }

  async requireAvailable(id: string, context: CallerContext, action: CommunityAction): Promise<ViewedLibraryResource> {
    return this.requireVisible(id, context, action, () => false);
  }

  private async requireVisible(
    id: string,
    context: CallerContext,
    action: CommunityAction,
    seesDeleted: (role: CommunityRole) => boolean,
  ): Promise<ViewedLibraryResource> {
    const resource = await this.streams.loadState(libraryResourceDecider, id);
    if (resource.status === 'unknown') throw Rejection.notFound();
    const isVisibleTo = ({ role }: CommunityViewer) => resource.status !== 'deleted' || seesDeleted(role);
    return { resource, viewer: await this.access.requireInner(resource.communityId, context, action, isVisibleTo) };
  }
}
