import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import type { CallerContext } from '../identity/caller.js';
import { Rejection } from '../kernel/rejection.js';
import { community, type KnownCommunity } from './domain/community.js';
import { levelAt } from './domain/levels.js';
import { member, type Member } from './domain/member.js';
import { membership, membershipId } from './domain/membership.js';
import { points } from './domain/points.js';
import { standingOf, type Standing } from './domain/standing.js';

/** The caller's access to one community, read from the streams. */
export interface Presence {
  readonly community: KnownCommunity;
  readonly standing: Standing;
  readonly member: Member;
}

@Injectable()
export class Standings {
  constructor(private readonly streams: Streams) {}

  /** @throws Rejection not_found, when the community does not exist */
  async of(communityId: string, { caller }: CallerContext): Promise<Presence> {
    const found = await this.streams.state(community, communityId);
    if (found.status === 'unknown') throw Rejection.notFound();

    const userId = caller.user?.id ?? null;
    const known = userId === null ? member.initial : await this.member(communityId, userId);
    return { community: found, standing: standingOf(found, known, { userId, business: caller.business }), member: known };
  }

  /** @param holder a user's id, or the keyed hash of an address */
  async member(communityId: string, holder: string): Promise<Member> {
    const claim = await this.streams.state(membership, membershipId(communityId, holder));
    return claim.status === 'free' ? member.initial : this.streams.state(member, claim.memberId);
  }

  async levelOf({ community: { ladder }, member }: Presence): Promise<number> {
    if (member.status === 'unknown') return 0;
    const { balance } = await this.streams.state(points, member.id);
    return levelAt(balance, { ladder, floor: member.floor });
  }
}

/** Replaces the caller's business by the community's business. */
export function within({ business }: KnownCommunity, context: CallerContext): CallerContext {
  return { ...context, business };
}

/** Returns the user of the caller; an API key acts as its own user. */
export function userIdOf({ caller }: CallerContext): string {
  if (caller.user === null) throw new Rejection('permission_denied', 'The credential has no user.');
  return caller.user.id;
}
