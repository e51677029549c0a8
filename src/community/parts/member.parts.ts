import type { NounParts } from '../../engine/area-parts.js';
import { memberHandlers } from '../commands/member.commands.js';
import { Members } from '../commands/members.steps.js';
import { MembersController } from '../http/members.controller.js';
import { MemberAddresses } from '../member-addresses.js';
import { MemberReader } from '../member-reader.js';
import { ActivateMembers } from '../processes/activate-members.js';
import { members } from '../projections/members.js';
import { memberQueryHandlers } from '../queries/member.queries.js';

export const memberParts: NounParts = {
  controllers: [MembersController],
  providers: [Members, MemberReader, MemberAddresses, ...memberHandlers, ...memberQueryHandlers],
  projections: [members],
  reactors: [ActivateMembers],
};
