import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { challengeDecider, type KnownChallenge } from '../domain/challenge.js';
import { canModerate, type CommunityAction } from '../domain/community-role.js';
import { CommunityAccess, type CommunityViewer } from './community-access.js';

export interface ViewedChallenge {
  readonly challenge: KnownChallenge;
  readonly viewer: CommunityViewer;
}

/** Decides which challenges a caller may use. */
@Injectable()
export class ChallengeAccess {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
  ) {}

  /** Only the owner and moderators see a cancelled challenge. @throws Rejection not_found, permission_denied … */
  async require(id: string, context: CallerContext, action: CommunityAction): Promise<ViewedChallenge> {
    const challenge = await this.streams.loadState(challengeDecider, id);
    if (challenge.status === 'unknown') throw Rejection.notFound();
    const isVisibleTo = ({ role }: CommunityViewer) => challenge.status !== 'cancelled' || canModerate(role);
    return { challenge, viewer: await this.access.requireInner(challenge.communityId, context, action, isVisibleTo) };
  }
}
