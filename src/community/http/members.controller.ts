import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ApiResponse } from '../../http/server/api-response.js';
import { ClosedSet, FilterText, WidePageQuery } from '../../http/validation/paging.js';
import { OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import {
  ChangeMember,
  JoinCommunity,
  LeaveCommunity,
  RemoveMember,
  SetExpertBadge,
} from '../commands/member.commands.js';
import { INVITED_ROLES, type InvitedRole } from '../domain/invite.js';
import { MEMBER_STATUSES, type MemberStatus, type Role, ROLES } from '../domain/member-events.js';
import { memberSchema } from '../projections/members.js';
import { ListMembers, RetrieveMember } from '../queries/member.queries.js';
import { MAX_LEVEL } from './levels.js';

class MembersQuery extends WidePageQuery {
  @Describe('The roles of the members to list; without it, all roles.')
  @ClosedSet(ROLES)
  role?: Role[];

  @Describe(
    'The statuses of the members to list; without it, the active members. Only the owner and moderators may set it.',
  )
  @ClosedSet(MEMBER_STATUSES)
  status?: MemberStatus[];

  @Describe('The exact e-mail address of the member to list. Only the owner and moderators may set it.')
  @FilterText()
  email?: string;
}

class ChangeMemberBody {
  @Describe('The new role; only a transfer of the community changes its owner.')
  @OptionalNotNull()
  @IsIn(INVITED_ROLES)
  role?: InvitedRole;

  @Describe('The lowest level of the member, regardless of the points.')
  @OptionalNotNull()
  @IsInt()
  @Min(1)
  @Max(MAX_LEVEL)
  level?: number;

  @Describe('The value `banned` excludes the member, and `active` ends a ban; after it, the member is a plain one.')
  @OptionalNotNull()
  @IsIn(['active', 'banned'])
  status?: 'active' | 'banned';
}

@Controller('v1/community/communities/:id')
export class MembersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('join')
  @Operation('Join a community', memberSchema, {
    also: { status: 200, resource: memberSchema },
    about: 'Makes the user of the caller a member, if the community is open to the user. A member gets 200.',
  })
  @Rejects('banned', 'invite_required', 'purchase_required', 'community_archived')
  async join(@Ctx() context: CallerContext, @Param('id') communityId: string): Promise<ApiResponse> {
    const { member, joined } = await this.commands.execute(new JoinCommunity(context, { communityId }));
    return new ApiResponse(joined ? 201 : 200, { data: member });
  }

  @Post('leave')
  @HttpCode(200)
  @Operation('Leave a community', memberSchema, { about: 'The owner cannot leave.' })
  @Rejects('not_a_member', 'last_owner')
  async leave(@Ctx() context: CallerContext, @Param('id') communityId: string) {
    return { data: await this.commands.execute(new LeaveCommunity(context, { communityId })) };
  }

  @Get('members')
  @Operation('List members', memberSchema, {
    about:
      'Shows the active members. The owner and moderators see the addresses too, and find other members by `status`.',
  })
  @Rejects('not_a_member', 'permission_denied')
  list(@Ctx() context: CallerContext, @Param('id') communityId: string, @Query() query: MembersQuery) {
    const { page, perPage, role: roles, status: statuses, email } = query;
    return this.queries.execute(new ListMembers(context, { communityId, page, perPage, roles, statuses, email }));
  }

  @Get('members/:user_id')
  @Operation('Retrieve a member', memberSchema)
  @Rejects('not_a_member')
  async retrieve(@Ctx() context: CallerContext, @Param('id') communityId: string, @Param('user_id') userId: string) {
    return { data: await this.queries.execute(new RetrieveMember(context, { communityId, userId })) };
  }

  @Patch('members/:user_id')
  @Operation('Change a member', memberSchema, {
    about:
      'The owner changes the role or the level of a member, or bans the member. A member who left, was removed or is banned has no role and no level to change, and only a ban can be ended: 404. A pending member becomes active by signing in, and not by this request.',
  })
  @Rejects('not_a_member', 'permission_denied', 'owner_protected', 'community_archived')
  async change(
    @Ctx() context: CallerContext,
    @Param('id') communityId: string,
    @Param('user_id') userId: string,
    @Body() { role, level, status }: ChangeMemberBody,
  ) {
    const changes = omitUndefined({ role, minimumLevel: level });
    const isBanned = status === undefined ? null : status === 'banned';
    const command = new ChangeMember(context, { communityId, userId, changes, isBanned });
    return { data: await this.commands.execute(command) };
  }

  @Delete('members/:user_id')
  @Operation('Remove a member', memberSchema, {
    about: 'The owner removes any other member, and a moderator a plain member.',
  })
  @Rejects('not_a_member', 'permission_denied', 'owner_protected')
  async remove(@Ctx() context: CallerContext, @Param('id') communityId: string, @Param('user_id') userId: string) {
    return { data: await this.commands.execute(new RemoveMember(context, { communityId, userId })) };
  }

  @Put('members/:user_id/expert-badge')
  @Operation('Assign the expert badge', memberSchema)
  @Rejects('not_a_member', 'permission_denied', 'community_archived')
  async assign(@Ctx() context: CallerContext, @Param('id') communityId: string, @Param('user_id') userId: string) {
    return { data: await this.commands.execute(new SetExpertBadge(context, { communityId, userId, isExpert: true })) };
  }

  @Delete('members/:user_id/expert-badge')
  @Operation('Remove the expert badge', memberSchema)
  @Rejects('not_a_member', 'permission_denied', 'community_archived')
  async unassign(@Ctx() context: CallerContext, @Param('id') communityId: string, @Param('user_id') userId: string) {
    return { data: await this.commands.execute(new SetExpertBadge(context, { communityId, userId, isExpert: false })) };
  }
}
