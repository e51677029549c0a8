import { Body, Controller, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsEmail, IsInt, IsString, Length, Matches, Max, MaxLength, Min, ValidateIf } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ApiResponse } from '../../http/server/api-response.js';
import { Trimmed } from '../../http/validation/validators.js';
import type { CallerContext } from '../../identity/caller.js';
import { AwardPoints } from '../commands/points.commands.js';
import { pointsAwardSchema } from '../projections/points-awards.js';

const MAX_POINTS = 1_000_000;

const hasSourceField = ({ source_type, source_id }: AwardPointsBody) => (source_type ?? source_id ?? null) !== null;

class AwardPointsBody {
  @IsInt()
  @Min(1)
  @Max(MAX_POINTS)
  points!: number;

  @Trimmed()
  @IsEmail()
  @MaxLength(254)
  target_email!: string;

  @ValidateIf(hasSourceField)
  @IsString()
  @Length(1, 64)
  @Matches(/^[A-Za-z0-9_.-]+$/, { message: '$property may contain only letters, digits, "_", "." and "-"' })
  source_type?: string | null;

  @ValidateIf(hasSourceField)
  @IsString()
  @Length(1, 255)
  source_id?: string | null;
}

@Controller('v1/community/communities/:id/points')
export class PointsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Operation('Award points', pointsAwardSchema, { also: { status: 200, resource: pointsAwardSchema } })
  @Rejects('not_a_member', 'points_already_awarded', 'member_not_found', 'self_award')
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
}
