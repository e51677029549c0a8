import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { communityDecider, type KnownCommunity } from '../domain/community.js';
import {
  assertPermitted,
  canModerate,
  type CommunityAction,
  type CommunityRole,
  createNotAMemberRejection,
  determineRole,
} from '../domain/community-role.js';
import { calculateLevel, LOWEST_LEVEL } from '../domain/levels.js';
import { memberDecider } from '../domain/member.js';
import { isPresent, type KnownMember, type Member } from '../domain/member-state.js';
import { membershipDecider, membershipIdOf } from '../domain/membership.js';
import { pointsDecider } from '../domain/points.js';

/** A caller in one community, as the streams describe them. */
export interface CommunityViewer {
  readonly community: KnownCommunity;
  readonly role: CommunityRole;
  /** The membership of the caller's user. A key may act as the owner although its user is not a member. */
  readonly member: Member;
  /** The caller's context with the business of the community instead of the caller's own. */
  readonly context: CallerContext;
}

/**
 * Decides what a caller may do in a community. Roles, levels and archival are read from the streams and never from a
 * read model, so a change counts at once.
 */
@Injectable()
export class CommunityAccess {
  constructor(private readonly streams: Streams) {}

  /** For routes at and below `/communities/{id}`. @throws Rejection not_found, not_a_member, permission_denied … */
  async require(communityId: string, context: CallerContext, action: CommunityAction): Promise<CommunityViewer> {
    const viewer = await this.view(communityId, context);
    assertPermitted(action, viewer.role, viewer.community);
    return viewer;
  }

  /**
   * For routes that name a post, a channel or another resource of a community. Outsiders, and others who cannot see
   * the resource, get the 404 of an unknown id with every method.
   */
  async requireInner(
    communityId: string,
    context: CallerContext,
    action: CommunityAction,
    isVisibleTo: (viewer: CommunityViewer) => boolean | Promise<boolean> = () => true,
  ): Promise<CommunityViewer> {
    const viewer = await this.view(communityId, context);
    if (viewer.role === 'outsider' || !(await isVisibleTo(viewer))) throw Rejection.notFound();
    assertPermitted(action, viewer.role, viewer.community);
    return viewer;
  }

  /** Returns the caller with any role. @throws Rejection not_found, when the community does not exist */
  async view(communityId: string, context: CallerContext): Promise<CommunityViewer> {
    const { user, business } = context.caller;
    const community = await this.streams.loadState(communityDecider, communityId);
    if (community.status === 'unknown') throw Rejection.notFound();

    const member = user === null ? memberDecider.initial : await this.findMember(communityId, user.id);
    const role = determineRole(community, member, { userId: user?.id ?? null, business });
    return { community, member, role, context: { ...context, business: community.business } };
  }

  /** @param identity a user's id, or the keyed hash of an address */
  async findMember(communityId: string, identity: string): Promise<Member> {
    const claim = await this.streams.loadState(membershipDecider, membershipIdOf(communityId, identity));
    return claim.status === 'free' ? memberDecider.initial : this.streams.loadState(memberDecider, claim.memberId);
  }

  /** @throws Rejection insufficient_level */
  async requireLevel(viewer: CommunityViewer, requiredLevel: number): Promise<void> {
    if (!(await this.hasLevel(viewer, requiredLevel)))
      throw new Rejection('insufficient_level', `This requires level ${requiredLevel}.`);
  }

  async hasLevel(viewer: CommunityViewer, requiredLevel: number): Promise<boolean> {
    return requiredLevel <= LOWEST_LEVEL || (await this.readLevel(viewer)) >= requiredLevel;
  }

  /** The owner, the business's keys and moderators have every level. */
  async readLevel({ role, community: { settings }, member }: CommunityViewer): Promise<number> {
    if (canModerate(role)) return Infinity;
    if (member.status === 'unknown') return LOWEST_LEVEL;
    const { balance } = await this.streams.loadState(pointsDecider, member.id);
    return calculateLevel(balance, { levels: settings.levels, minimumLevel: member.minimumLevel });
  }
}

/** Returns the caller's own membership, which a key's user may lack. @throws Rejection not_a_member */
export function requireMembership({ member }: CommunityViewer): KnownMember {
  if (member.status === 'unknown' || !isPresent(member)) throw createNotAMemberRejection();
  return member;
}
