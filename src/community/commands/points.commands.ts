import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { type CallerContext, requireUserId } from '../../identity/caller.js';
import { Users } from '../../identity/users.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess } from '../community-access.js';
import type { CommunityRole } from '../domain/community-role.js';
import type { KnownMember } from '../domain/member.js';
import type { Award } from '../domain/points.js';
import type { PointsAwardDocument } from '../projections/points-awards.js';
import { Awards } from './awards.steps.js';

/** The recorded source of an award without a source. */
const MANUAL_SOURCE = { type: 'manual', id: null };

interface NewAward {
  readonly communityId: string;
  readonly points: number;
  readonly targetEmail: string;
  readonly source: { readonly type: string; readonly id: string } | null;
}

export class AwardPoints extends ContextCommand<NewAward, PointsAwardDocument, CallerContext> {}

@CommandHandler(AwardPoints)
export class AwardPointsHandler implements ICommandHandler<AwardPoints> {
  constructor(
    private readonly awards: Awards,
    private readonly access: CommunityAccess,
    private readonly users: Users,
    private readonly personal: PersonalFields,
  ) {}

  async execute({ context: request, params }: AwardPoints): Promise<PointsAwardDocument> {
    const { communityId, points, targetEmail, source } = params;
    const { role, context } = await this.access.require(communityId, request, 'moderate');
    const { id: memberId, userId, email } = await this.findTarget(communityId, targetEmail);
    assertNoSelfAward(role, userId, context);

    const awardId = idOf('pta', context.at, context.commandId);
    const { type: sourceType, id: sourceId } = source ?? MANUAL_SOURCE;
    const award: Award = { awardId, communityId, memberId, userId, email, points, sourceType, sourceId };
    return this.awards.pay(award, context);
  }

  /** Finds the member who joined with the address, or whose verified address it is now. */
  private async findTarget(communityId: string, address: string): Promise<KnownMember> {
    const joined = await this.access.findMember(communityId, this.personal.hash(address));
    if (joined.status === 'active') return joined;

    const user = await this.users.findByEmail(address);
    const found = user && (await this.access.findMember(communityId, user.id));
    if (user === null || found?.status !== 'active')
      throw new Rejection('member_not_found', 'The community has no such member.', 'target_email');
    return { ...found, email: user.email };
  }
}

function assertNoSelfAward(role: CommunityRole, userId: string, context: CallerContext): void {
  if (role !== 'moderator' || userId !== requireUserId(context)) return;
  throw new Rejection('self_award', 'Moderators cannot award points to themselves.', 'target_email');
}
