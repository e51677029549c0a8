import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsInt, IsString, Length, Matches, Max, Min, ValidateIf } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
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
  @IsInt()
  @Min(1)
  @Max(MAX_POINTS)
  points!: number;

  @IsEmailAddress()
  target_email!: string;

  @ValidateIf(hasSourceField)
  @IsString()
  @Length(1, 64)
  @Matches(/^[A-Za-z0-9_.-]+$/, { message: '$property may contain only letters, digits, "_", "." and "-"' })
  source_type?: string | null;

  @ValidateIf(hasSourceField)
  @IsIdentifier(255)
  source_id?: string | null;
}

class PointsQuery extends WidePageQuery {
  /** The exact address. A plain member can give only the own one. */
  @FilterText()
  target_email?: string;
}

class ReversePointsBody {
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
  @Operation('Award points', pointsAwardSchema, { also: { status: 200, resource: pointsAwardSchema } })
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

  /** Lists the entries of ledgers, newest first: of all members, and of a plain member only the own ones. */
  @Get()
  @Operation('List points', pointsAwardSchema)
  @Rejects('not_a_member', 'permission_denied')
  list(
    @Ctx() context: CallerContext,
    @Param('id') communityId: string,
    @Query() { page, perPage, target_email: targetEmail }: PointsQuery,
  ) {
    return this.queries.execute(new ListPoints(context, { communityId, page, perPage, targetEmail }));
  }

  /** Enters the points of an award with a negative sign. Its source stays used. */
  @Post(':award_id/reversal')
  @Operation('Reverse points', pointsAwardSchema, { also: { status: 200, resource: pointsAwardSchema } })
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
