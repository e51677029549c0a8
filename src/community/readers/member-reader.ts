import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { requireFound } from '../../kernel/rejection.js';
import type { CommunityViewer } from '../access/community-access.js';
import { canModerate } from '../domain/community-role.js';
import { calculateLevel } from '../domain/levels.js';
import { memberDecider } from '../domain/member.js';
import { pointsDecider } from '../domain/points.js';
import { type MemberDocument, members, showMember } from '../projections/members.js';

/** Shows members as a viewer may see them: the level of now, and the address for moderators and the member alone. */
@Injectable()
export class MemberReader {
  constructor(private readonly streams: Streams) {}

  /** Loads a member from the streams, with all events acknowledged so far. @throws Rejection not_found */
  async load(memberId: string, viewer: CommunityViewer): Promise<MemberDocument> {
    const member = requireFound(await this.streams.loadDocument(memberDecider, memberId, members));
    const { balance } = await this.streams.loadState(pointsDecider, memberId);
    return this.show({ ...member, points: balance }, viewer);
  }

  show(member: MemberDocument, { community, role, context }: CommunityViewer): MemberDocument {
    const { levels } = community.settings;
    const level = calculateLevel(member.points, { levels, minimumLevel: member._minimumLevel });
    return showMember(member, level, canModerate(role) || member.user.id === context.caller.user?.id);
  }
}
