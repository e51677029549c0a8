import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects, RejectsFields } from '../../http/openapi/operation.js';
import { ApiResponse } from '../../http/server/api-response.js';
import { IsTime } from '../../http/validation/date-range.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import { IsEmailAddress, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { toIso } from '../../kernel/clock.js';
import { AcceptInvite, DeclineInvite, IssueInvite, ResendInvite, RevokeInvite } from '../commands/invite.commands.js';
import { INVITED_ROLES, type InviteTerms } from '../domain/invite.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { inviteSchema } from '../projections/invites.js';
import { ListInvites, ListOwnInvites, RetrieveInvite } from '../queries/invite.queries.js';
import { MAX_LEVEL } from './levels.js';

class InviteBody {
  @Describe('The e-mail address of the person to invite.')
  @IsEmailAddress()
  email!: string;

  @Describe('The role that the new member gets, by default `member`; only the owner can invite a `moderator`.')
  @OptionalNotNull()
  @IsIn(INVITED_ROLES)
  role?: InviteTerms['role'];

  @Describe('The lowest level of the new member, by default 1, regardless of the points.')
  @OptionalNotNull()
  @IsInt()
  @Min(1)
  @Max(MAX_LEVEL)
  level?: number;

  @Describe('The text of the sender in the mail; null for none.', 'Join us!')
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  message?: string | null;

  @Describe('The time from which the invite can no longer be answered, in the future; null for 14 days from now.')
  @IsOptional()
  @IsTime()
  expires_at?: string | null;
}

@Controller('v1/community')
export class InvitesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('communities/:id/invites')
  @Operation('Create an invite', inviteSchema, {
    also: { status: 200, resource: inviteSchema },
    about: 'Invites an address by mail. A pending invite of the address gets the new terms instead: 200.',
  })
  @Rejects('not_a_member', 'permission_denied', 'already_member', 'community_archived')
  @RejectsFields('banned')
  async create(
    @Ctx() context: CallerContext,
    @Param('id') communityId: string,
    @Body() body: InviteBody,
  ): Promise<ApiResponse> {
    const { invite, created } = await this.commands.execute(new IssueInvite(context, toInvitation(communityId, body)));
    return new ApiResponse(created ? 201 : 200, { data: invite });
  }

  @Get('communities/:id/invites')
  @Operation('List invites', inviteSchema)
  @Rejects('not_a_member', 'permission_denied')
  list(@Ctx() context: CallerContext, @Param('id') communityId: string, @Query() { page, perPage }: WidePageQuery) {
    return this.queries.execute(new ListInvites(context, { communityId, page, perPage }));
  }

  @Get('invites')
  @Operation('List own invites', inviteSchema, {
    about: 'Shows the invites of the address of the caller, in all communities.',
  })
  listOwn(@Ctx() context: CallerContext, @Query() { page, perPage }: WidePageQuery) {
    return this.queries.execute(new ListOwnInvites(context, { page, perPage }));
  }

  @Get('invites/:invite_id')
  @Operation('Retrieve an invite', inviteSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('invite_id') id: string) {
    return { data: await this.queries.execute(new RetrieveInvite(context, { id })) };
  }

  @Delete('invites/:invite_id')
  @Operation('Revoke an invite', inviteSchema, { about: 'It can no longer be accepted.' })
  @Rejects('not_a_member', 'permission_denied', 'invite_already_accepted', 'invite_declined', 'community_archived')
  async revoke(@Ctx() context: CallerContext, @Param('invite_id') id: string) {
    return { data: await this.commands.execute(new RevokeInvite(context, { id })) };
  }

  @Post('invites/:invite_id/accept')
  @HttpCode(200)
  @Operation('Accept an invite', inviteSchema, {
    about: 'Makes the invited user a member, also of a paid community or one that requires an invite.',
  })
  @Rejects(
    'permission_denied',
    'banned',
    'community_archived',
    'invite_already_accepted',
    'invite_declined',
    'invite_revoked',
    'invite_expired',
  )
  async accept(@Ctx() context: CallerContext, @Param('invite_id') id: string) {
    return { data: await this.commands.execute(new AcceptInvite(context, { id })) };
  }

  @Post('invites/:invite_id/decline')
  @HttpCode(200)
  @Operation('Decline an invite', inviteSchema)
  @Rejects('community_archived', 'invite_already_accepted', 'invite_revoked', 'invite_expired')
  async decline(@Ctx() context: CallerContext, @Param('invite_id') id: string) {
    return { data: await this.commands.execute(new DeclineInvite(context, { id })) };
  }

  @Post('invites/:invite_id/resend')
  @HttpCode(200)
  @Operation('Resend an invite', inviteSchema, {
    about: 'Sends the mail again, at most once in 60 seconds and ten times.',
  })
  @Rejects(
    'not_a_member',
    'permission_denied',
    'community_archived',
    'invite_already_accepted',
    'invite_declined',
    'invite_revoked',
    'invite_expired',
  )
  async resend(@Ctx() context: CallerContext, @Param('invite_id') id: string) {
    return { data: await this.commands.execute(new ResendInvite(context, { id })) };
  }
}

function toInvitation(communityId: string, { email, role, level, message, expires_at }: InviteBody) {
  return {
    communityId,
    email,
    role: role ?? 'member',
    level: level ?? LOWEST_LEVEL,
    message: message ?? null,
    expiresAt: expires_at ? toIso(Date.parse(expires_at)) : null,
  };
}
