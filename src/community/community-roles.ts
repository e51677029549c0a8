import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import type { CallerContext } from '../identity/caller.js';
import { Rejection } from '../kernel/rejection.js';
import { communityDecider, type KnownCommunity } from './domain/community.js';
import { type CommunityRole, determineRole } from './domain/community-role.js';
import { calculateLevel } from './domain/levels.js';
import { type Member, memberDecider } from './domain/member.js';
import { membershipDecider, membershipIdOf } from './domain/membership.js';
import { pointsDecider } from './domain/points.js';

/** The caller's access to one community, read from the streams. */
export interface CommunityAccess {
  readonly community: KnownCommunity;
  readonly role: CommunityRole;
  readonly member: Member;
}

@Injectable()
export class CommunityRoles {
  constructor(private readonly streams: Streams) {}

  /** @throws Rejection not_found, when the community does not exist */
  async resolve(communityId: string, { caller: { user, business } }: CallerContext): Promise<CommunityAccess> {
    const community = await this.streams.loadState(communityDecider, communityId);
    if (community.status === 'unknown') throw Rejection.notFound();

    const member = user === null ? memberDecider.initial : await this.findMember(communityId, user.id);
    return { community, member, role: determineRole(community, member, { userId: user?.id ?? null, business }) };
  }

  /** @param identity a user's id, or the keyed hash of an address */
  async findMember(communityId: string, identity: string): Promise<Member> {
    const claim = await this.streams.loadState(membershipDecider, membershipIdOf(communityId, identity));
    return claim.status === 'free' ? memberDecider.initial : this.streams.loadState(memberDecider, claim.memberId);
  }

  async readLevel({ community: { levels }, member }: CommunityAccess): Promise<number> {
    if (member.status === 'unknown') return 0;
    const { balance } = await this.streams.loadState(pointsDecider, member.id);
    return calculateLevel(balance, { levels, minimumLevel: member.minimumLevel });
  }
}

/** Replaces the caller's business by the community's business. */
export function asCommunityBusiness({ business }: KnownCommunity, context: CallerContext): CallerContext {
  return { ...context, business };
}
