import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../engine/encryption/personal-fields.js';
import { Users } from '../identity/users.js';
import { CommunityAccess } from './access/community-access.js';
import { memberDecider } from './domain/member.js';
import type { KnownMember, Member } from './domain/member-state.js';

/** Finds members by their addresses. */
@Injectable()
export class MemberAddresses {
  constructor(
    private readonly access: CommunityAccess,
    private readonly users: Users,
    private readonly personal: PersonalFields,
  ) {}

  async find(communityId: string, address: string): Promise<KnownMember | null> {
    const member = await this.findByHash(communityId, this.personal.hash(address));
    return member.status === 'unknown' ? null : member;
  }

  /**
   * Finds the member of the user whose current address it is, else the member whose user has not signed in with it yet.
   * An address that its user has replaced finds nobody.
   */
  async findByHash(communityId: string, emailHash: string): Promise<Member> {
    const user = await this.users.findByEmailHash(emailHash);
    const member = user === null ? memberDecider.initial : await this.access.findMember(communityId, user.id);
    if (member.status !== 'unknown') return { ...member, email: user!.email };
    const waiting = await this.access.findMember(communityId, emailHash);
    const isFree = waiting.status !== 'unknown' && waiting.isPending && waiting.mergedInto === undefined;
    return isFree ? waiting : memberDecider.initial;
  }
}
