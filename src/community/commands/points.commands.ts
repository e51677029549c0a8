import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Users } from '../../identity/users.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess } from '../access/community-access.js';
import type { CommunityRole } from '../domain/community-role.js';
import { isPresent, type KnownMember } from '../domain/member-state.js';
import type { Award } from '../domain/points.js';
import { MemberAddresses } from '../member-addresses.js';
import { type PointsAwardDocument, pointsAwards } from '../projections/points-awards.js';
import { Awards } from './awards.steps.js';
import { PendingMembers } from './pending-members.steps.js';
import { Reversals } from './reversals.steps.js';

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
    private readonly addresses: MemberAddresses,
  ) {}

  async execute({ context: request, params }: AwardPoints): Promise<PointsAwardDocument> {
    const { communityId, points, targetEmail, source } = params;
    const { role, context } = await this.access.require(communityId, request, 'moderate');
    const { id: memberId, userId, email } = await this.requireTarget(communityId, targetEmail);
    assertNoSelfAward(role, userId, context, 'target_email');

    const awardId = idOf('pta', context.at, context.commandId);
    const { type: sourceType, id: sourceId } = source ?? MANUAL_SOURCE;
    const award: Award = { awardId, communityId, memberId, userId, email, points, sourceType, sourceId };
    return this.awards.pay(award, context);
  }

  /** A member who has not signed in yet keeps the points until then. */
  private async requireTarget(communityId: string, address: string): Promise<KnownMember> {
    const found = await this.addresses.find(communityId, address);
    if (found !== null && isPresent(found)) return found;
    throw new Rejection('member_not_found', 'The community has no such member.', 'target_email');
  }
}

export class ReversePoints extends ContextCommand<
  { communityId: string; awardId: string; reason: string },
  PointsAwardDocument,
  CallerContext
> {}

@CommandHandler(ReversePoints)
export class ReversePointsHandler implements ICommandHandler<ReversePoints> {
  constructor(
    private readonly reversals: Reversals,
    private readonly access: CommunityAccess,
    private readonly pending: PendingMembers,
    private readonly users: Users,
    private readonly reader: ReadModelReader,
  ) {}

  async execute({ context: request, params }: ReversePoints): Promise<PointsAwardDocument> {
    const { communityId, awardId, reason } = params;
    const { role, context } = await this.access.require(communityId, request, 'moderate');
    const award = await this.findCurrent(await this.requireAward(communityId, awardId, context));
    assertNoSelfAward(role, award.userId, context);

    const reversalId = idOf('pta', context.at, context.commandId);
    // The member may have another address than at the award.
    const email = (await this.users.find(award.userId))?.email ?? award.email;
    const reversal = { reversalId, communityId, ...award, email, reason, reversedBy: requireUserId(context) };
    return this.reversals.reverse(reversal, context);
  }

  /** The award of a pending member may have been moved to the member as whom the user had joined. */
  private async findCurrent(award: PointsAwardDocument) {
    const { id: awardId, _memberId: memberId, user, points: awardedPoints, created_at: awardedAt } = award;
    const source = { sourceType: award.source_type, sourceId: award.source_id };
    const moved = await this.pending.findMovedAward({ awardId, communityId: award.community.id, memberId, ...source });
    if (moved === null) return { awardId, memberId, userId: user.id, email: user.email, awardedPoints, awardedAt };
    const { points, awardId: movedId, memberId: into, userId, email } = moved.data;
    return { awardId: movedId, memberId: into, userId, email, awardedPoints: points, awardedAt: moved.meta.at };
  }

  /** Entries never change, so the read model is as good as the ledger. */
  private async requireAward(communityId: string, awardId: string, { consistency }: CallerContext) {
    const award = await this.reader.get(pointsAwards, awardId, consistency);
    if (award === null || award.community.id !== communityId || award._isReversal) throw Rejection.notFound();
    return award;
  }
}

/** @throws Rejection self_award */
function assertNoSelfAward(role: CommunityRole, userId: string, context: CallerContext, field?: string): void {
  if (role !== 'moderator' || userId !== requireUserId(context)) return;
  throw new Rejection('self_award', 'Moderators cannot award points to themselves, or reverse such an award.', field);
}

export const pointsHandlers = [AwardPointsHandler, ReversePointsHandler];
