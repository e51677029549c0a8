import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsInt, IsString, Length, Matches, Max, Min, ValidateIf } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ApiResponse } from '../../http/server/api-response.js';
import { FilterText, WidePageQuery } from '../../http/validation/paging.js';
import { IsEmailAddress, IsIdentifier, IsText } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { AwardPoints, ReversePoints } from '../commands/points.commands.js';
import { pointsAwardSchema } from '../projections/points-awards.js';
import { ListPoints } from '../queries/points.queries.js';

const MAX_POINTS = 1_000_000;

const hasSourceField = ({ source_type, source_id }: AwardPointsBody) => (source_type ?? source_id ?? null) !== null;

class AwardPointsBody {
  @Describe('The points to add to the balance of the member.', 25)
  @IsInt()
  @Min(1)
  @Max(MAX_POINTS)
  points!: number;

  @Describe('The e-mail address of the member who receives the points.', 'ada@example.com')
  @IsEmailAddress()
  target_email!: string;

  @Describe(
    'The kind of the source, which needs a source id; null for a manual award, which may be repeated.',
    'course',
  )
  @ValidateIf(hasSourceField)
  @IsString()
  @Length(1, 64)
  @Matches(/^[A-Za-z0-9_.-]+$/, { message: '$property may contain only letters, digits, "_", "." and "-"' })
  source_type?: string | null;

  @Describe('The id of the source, which pays each member once; null without a source type.', 'lesson-7')
  @ValidateIf(hasSourceField)
  @IsIdentifier(255)
  source_id?: string | null;
}

class PointsQuery extends WidePageQuery {
  @Describe(
    'The exact e-mail address of the member whose entries to list; a plain member can give only the own one.',
    'ada@example.com',
  )
  @FilterText()
  target_email?: string;
}

class ReversePointsBody {
  @Describe('The reason for the reversal, which the change history keeps.', 'The lesson was not finished.')
  @IsText(500)
  reason!: string;
}

@Controller('v1/community/communities/:id/points')
export class PointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Operation('Award points', pointsAwardSchema, {
    also: { status: 200, resource: pointsAwardSchema },
    about: 'Adds points to the ledger of a member. An award with a source takes effect once: a repeated one gets 200.',
  })
  @Rejects('not_a_member', 'points_already_awarded', 'member_not_found', 'self_award', 'community_archived')
  async award(
    @Ctx() context: CallerContext,
    @Param('id') communityId: string,
    @Body() body: AwardPointsBody,
  ): Promise<ApiResponse> {
    const { points, target_email, source_type, source_id } = body;
    const source = hasSourceField(body) ? { type: source_type!, id: source_id! } : null;
    const award = { communityId, points, targetEmail: target_email, source };
    const data = await this.commands.execute(new AwardPoints(context, award));
    return new ApiResponse(data.duplicate ? 200 : 201, { data });
  }

  @Get()
  @Operation('List points', pointsAwardSchema, {
    about: 'Shows the entries of all members, and to a plain member only the own ones.',
  })
  @Rejects('not_a_member', 'permission_denied')
  list(
    @Ctx() context: CallerContext,
    @Param('id') communityId: string,
    @Query() { page, perPage, target_email: targetEmail }: PointsQuery,
  ) {
    return this.queries.execute(new ListPoints(context, { communityId, page, perPage, targetEmail }));
  }

  @Post(':award_id/reversal')
  @Operation('Reverse points', pointsAwardSchema, {
    also: { status: 200, resource: pointsAwardSchema },
    about: 'Enters the points of an award with a negative sign. Its source stays used.',
  })
  @Rejects('not_a_member', 'permission_denied', 'self_award', 'community_archived')
  async reverse(
    @Ctx() context: CallerContext,
    @Param('id') communityId: string,
    @Param('award_id') awardId: string,
    @Body() { reason }: ReversePointsBody,
  ): Promise<ApiResponse> {
    const data = await this.commands.execute(new ReversePoints(context, { communityId, awardId, reason }));
    return new ApiResponse(data.duplicate ? 200 : 201, { data });
  }
}
