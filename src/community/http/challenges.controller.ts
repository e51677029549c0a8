import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, MaxLength, Min } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { IsTime } from '../../http/validation/date-range.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import { IsName, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { toIso } from '../../kernel/clock.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { CancelChallenge, CreateChallenge, EditChallenge, JoinChallenge } from '../commands/challenge.commands.js';
import { type ChallengeContent, GOAL_TYPES, type GoalType, normaliseTimezone } from '../domain/challenge.js';
import { challengeProgressSchema } from '../projections/challenge-entries.js';
import { challengeSchema, GOAL_TYPE } from '../projections/challenges.js';
import { ListChallenges, RetrieveChallenge, RetrieveChallengeProgress } from '../queries/challenge.queries.js';

const MAX_TITLE = 200;
const MAX_REWARD = 1_000_000;
const MAX_TARGET = 1_000_000_000;

const TITLE = 'The title that members see.';
const TITLE_EXAMPLE = 'Ten posts in a month';
const GOAL_TARGET = 'The count at which a member completes the challenge, in the unit of the goal.';

class ChallengeBody {
  @Describe('The text that explains the challenge; null for none.', 'Share your progress.')
  @IsOptional()
  @IsString()
  @MaxLength(5_000)
  description?: string | null;

  @Describe('The points that a member receives once for completing it; without it, a new challenge pays none.', 25)
  @OptionalNotNull()
  @IsInt()
  @Min(0)
  @Max(MAX_REWARD)
  cp_reward?: number;

  @Describe('The text about a prize besides the points; null for none.', 'A signed copy of the book.')
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  prize_description?: string | null;

  @Describe('The time from which activities count; without it, a new challenge starts at once.')
  @OptionalNotNull()
  @IsTime()
  starts_at?: string;

  @Describe(
    'The time before which activities count, in the future; null for a challenge without an end.',
    '2099-12-31T23:59:59.000Z',
  )
  @IsOptional()
  @IsTime()
  ends_at?: string | null;

  @Describe(
    'The IANA time zone in which to display the end, which it does not move; without it, UTC for a new challenge.',
    'Europe/Berlin',
  )
  @OptionalNotNull()
  @IsString()
  @Length(1, 64)
  deadline_timezone?: string;
}

class CreateChallengeBody extends ChallengeBody {
  @Describe(TITLE, TITLE_EXAMPLE)
  @IsName(MAX_TITLE)
  title!: string;

  @Describe(GOAL_TYPE)
  @IsIn(GOAL_TYPES)
  goal_type!: GoalType;

  @Describe(GOAL_TARGET, 10)
  @IsInt()
  @Min(1)
  @Max(MAX_TARGET)
  goal_target!: number;
}

class EditChallengeBody extends ChallengeBody {
  @Describe(TITLE, TITLE_EXAMPLE)
  @OptionalNotNull()
  @IsName(MAX_TITLE)
  title?: string;

  @Describe(GOAL_TYPE)
  @OptionalNotNull()
  @IsIn(GOAL_TYPES)
  goal_type?: GoalType;

  @Describe(GOAL_TARGET, 10)
  @OptionalNotNull()
  @IsInt()
  @Min(1)
  @Max(MAX_TARGET)
  goal_target?: number;
}

@Controller('v1/community')
export class ChallengesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('communities/:id/challenges')
  @Operation('Create a challenge', challengeSchema, {
    about: 'The owner and moderators create it. It starts at once by default.',
  })
  @Rejects('not_a_member', 'permission_denied', 'invalid_range', 'invalid_timezone', 'community_archived')
  async create(@Ctx() context: CallerContext, @Param('id') communityId: string, @Body() body: CreateChallengeBody) {
    const { title, goal_type: goalType, goal_target: goalTarget } = body;
    const content = { ...DEFAULTS, ...toChallengeChanges(body), title, goalType, goalTarget };
    return { data: await this.commands.execute(new CreateChallenge(context, { communityId, content })) };
  }

  @Get('communities/:id/challenges')
  @Operation('List challenges', challengeSchema, { about: 'Shows the challenges that are not cancelled.' })
  @Rejects('not_a_member')
  list(@Ctx() context: CallerContext, @Param('id') communityId: string, @Query() { page, perPage }: WidePageQuery) {
    return this.queries.execute(new ListChallenges(context, { communityId, page, perPage }));
  }

  @Get('challenges/:challenge_id')
  @Operation('Retrieve a challenge', challengeSchema, { about: 'Only the owner and moderators see a cancelled one.' })
  async retrieve(@Ctx() context: CallerContext, @Param('challenge_id') id: string) {
    return { data: await this.queries.execute(new RetrieveChallenge(context, { id })) };
  }

  @Patch('challenges/:challenge_id')
  @Operation('Edit a challenge', challengeSchema, {
    about: 'The owner and moderators edit it until it ends or is cancelled.',
  })
  @Rejects(
    'permission_denied',
    'invalid_range',
    'invalid_timezone',
    'challenge_ended',
    'challenge_cancelled',
    'community_archived',
  )
  async edit(@Ctx() context: CallerContext, @Param('challenge_id') id: string, @Body() body: EditChallengeBody) {
    const command = new EditChallenge(context, { id, content: toChallengeChanges(body) });
    return { data: await this.commands.execute(command) };
  }

  @Delete('challenges/:challenge_id')
  @Operation('Cancel a challenge', challengeSchema, {
    about: 'The owner and moderators cancel it. Activities no longer count for it.',
  })
  @Rejects('permission_denied', 'challenge_ended')
  async cancel(@Ctx() context: CallerContext, @Param('challenge_id') id: string) {
    return { data: await this.commands.execute(new CancelChallenge(context, { id })) };
  }

  @Post('challenges/:challenge_id/join')
  @HttpCode(200)
  @Operation('Join a challenge', challengeProgressSchema, {
    about: 'Enters the caller in the challenge. A repeated request returns the progress so far.',
  })
  @Rejects('not_a_member', 'challenge_ended', 'challenge_cancelled', 'community_archived')
  async join(@Ctx() context: CallerContext, @Param('challenge_id') id: string) {
    return { data: await this.commands.execute(new JoinChallenge(context, { id })) };
  }

  @Get('challenges/:challenge_id/progress')
  @Operation('Retrieve challenge progress', challengeProgressSchema, {
    about: 'Shows the progress of the caller, who must have joined. Activities count within moments.',
  })
  async progress(@Ctx() context: CallerContext, @Param('challenge_id') id: string) {
    return { data: await this.queries.execute(new RetrieveChallengeProgress(context, { id })) };
  }
}

const DEFAULTS = {
  description: null,
  cpReward: 0,
  prizeDescription: null,
  startsAt: null,
  endsAt: null,
  deadlineTimezone: 'UTC',
};

/** Maps only the fields that the body contains. */
function toChallengeChanges({ starts_at, ends_at, ...body }: EditChallengeBody): Partial<ChallengeContent> {
  const { title, description, goal_type: goalType, goal_target: goalTarget, cp_reward: cpReward } = body;
  return omitUndefined({
    title,
    description,
    goalType,
    goalTarget,
    cpReward,
    prizeDescription: body.prize_description,
    startsAt: starts_at === undefined ? undefined : toUtc(starts_at),
    endsAt: ends_at ? toUtc(ends_at) : ends_at,
    deadlineTimezone: body.deadline_timezone && normaliseTimezone(body.deadline_timezone),
  });
}

function toUtc(time: string): string {
  return toIso(Date.parse(time));
}
