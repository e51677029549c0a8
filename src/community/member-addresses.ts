import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../engine/encryption/personal-fields.js';
import { Users } from '../identity/users.js';
import { CommunityAccess } from './community-access.js';
import type { KnownMember } from './domain/member-state.js';

/** Finds members by their addresses. */
@Injectable()
export class MemberAddresses {
  constructor(
    private readonly access: CommunityAccess,
    private readonly users: Users,
    private readonly personal: PersonalFields,
  ) {}

  /** Finds the member who joined with the address, or whose verified address it is now, preferably an active one. */
  async find(communityId: string, address: string): Promise<KnownMember | null> {
    const joined = await this.access.findMember(communityId, this.personal.hash(address));
    if (joined.status === 'active') return joined;

    const user = await this.users.findByEmail(address);
    const found = user && (await this.access.findMember(communityId, user.id));
    if (found !== null && found.status !== 'unknown') return { ...found, email: user!.email };
    return joined.status === 'unknown' ? null : joined;
  }
}
