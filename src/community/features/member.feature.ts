import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { memberHandlers } from '../commands/member.commands.js';
import { Members } from '../commands/members.steps.js';
import { PendingMembers } from '../commands/pending-members.steps.js';
import { CommunityContexts } from '../community-contexts.js';
import { memberDecider } from '../domain/member.js';
import { membershipDecider } from '../domain/membership.js';
import { MembersController } from '../http/members.controller.js';
import { MemberAddresses } from '../member-addresses.js';
import { ActivateMembers } from '../processes/activate-members.js';
import { FollowAddresses } from '../processes/follow-addresses.js';
import { RecordMemberErasures } from '../processes/record-member-erasures.js';
import {
  erasedMembers,
  erasedMemberSchema,
  memberFacts,
  members,
  memberSchema,
  publishedMembers,
} from '../projections/members.js';
import { addPoints } from '../publication-sources.js';
import { memberQueryHandlers } from '../queries/member.queries.js';
import { MemberReader } from '../readers/member-reader.js';

const member = createAuditedResource('community_member', memberFacts);

export const memberFeature: Feature = {
  streams: [auditStream(memberDecider, member), auditStream(membershipDecider, nameByKey(member, 'memberId'))],
  projections: [members],
  publicEvents: [
    publish({
      fact: 'MemberJoined',
      also: ['MemberActivated', 'MemberRejoined'],
      type: 'community.member.joined',
      summary: 'A member joined',
      description: 'A user joined a community; its owner joins it with its creation.',
      projection: publishedMembers,
      schema: memberSchema,
      complete: addPoints,
      only: ({ data }) => !('status' in data),
      change: true,
    }),
    publish({
      fact: 'MemberImported',
      type: 'community.member.imported',
      summary: 'A member was imported',
      description: 'An import added a member to a community.',
      projection: publishedMembers,
      schema: memberSchema,
      complete: addPoints,
    }),
    publish({
      fact: 'ExpertBadgeAssigned',
      type: 'community.member.expert_badge_assigned',
      summary: 'A member became an expert',
      description: 'A member received the expert badge.',
      projection: publishedMembers,
      schema: memberSchema,
      complete: addPoints,
      change: true,
    }),
    publish({
      fact: 'MemberChanged',
      also: ['MemberAddressChanged', 'OwnershipChanged', 'MemberRejoined'],
      type: 'community.member.changed',
      summary: 'A member was changed',
      description: 'The role, the granted level, the address or the standing of a member changed.',
      projection: publishedMembers,
      schema: memberSchema,
      complete: addPoints,
      change: true,
    }),
    publish({
      fact: 'MemberLeft',
      type: 'community.member.left',
      summary: 'A member left',
      description: 'A member left a community.',
      projection: publishedMembers,
      schema: memberSchema,
      complete: addPoints,
      change: true,
    }),
    publish({
      fact: 'MemberRemoved',
      type: 'community.member.removed',
      summary: 'A member was removed',
      description:
        'A moderator removed a member, the purchase of the member ended, or a pending member became another one.',
      projection: publishedMembers,
      schema: memberSchema,
      complete: addPoints,
      change: true,
    }),
    publish({
      fact: 'MemberBanned',
      type: 'community.member.banned',
      summary: 'A member was banned',
      description: 'A moderator removed a user, who may not return.',
      projection: publishedMembers,
      schema: memberSchema,
      complete: addPoints,
      change: true,
    }),
    publish({
      fact: 'MemberUnbanned',
      type: 'community.member.unbanned',
      summary: 'A member was unbanned',
      description: 'A banned user may take part again.',
      projection: publishedMembers,
      schema: memberSchema,
      complete: addPoints,
      change: true,
    }),
    publish({
      fact: 'ExpertBadgeRemoved',
      type: 'community.member.expert_badge_removed',
      summary: 'A member is no expert any more',
      description: 'A member lost the expert badge.',
      projection: publishedMembers,
      schema: memberSchema,
      complete: addPoints,
      change: true,
    }),
    publish({
      fact: 'MemberErased',
      type: 'community.member.erased',
      summary: 'A member was erased',
      description: 'The address of a member is erased everywhere. Erase what you keep of the person.',
      projection: erasedMembers,
      schema: erasedMemberSchema,
      alone: true,
    }),
  ],
  controllers: [MembersController],
  providers: [
    Members,
    PendingMembers,
    CommunityContexts,
    MemberReader,
    MemberAddresses,
    ...memberHandlers,
    ...memberQueryHandlers,
  ],
  reactors: [ActivateMembers, FollowAddresses, RecordMemberErasures],
};
