import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { type CallerContext, requireUserId } from '../../identity/caller.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess } from '../community-access.js';
import type { CommunityRole } from '../domain/community-role.js';
import type { KnownMember } from '../domain/member-state.js';
import type { Award } from '../domain/points.js';
import { MemberAddresses } from '../member-addresses.js';
import { type PointsAwardDocument, pointsAwards } from '../projections/points-awards.js';
import { Awards } from './awards.steps.js';
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

  private async requireTarget(communityId: string, address: string): Promise<KnownMember> {
    const found = await this.addresses.find(communityId, address);
    if (found?.status === 'active') return found;
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
    private readonly reader: ReadModelReader,
  ) {}

  async execute({ context: request, params }: ReversePoints): Promise<PointsAwardDocument> {
    const { communityId, awardId, reason } = params;
    const { role, context } = await this.access.require(communityId, request, 'moderate');
    const { _memberId: memberId, user, points, created_at } = await this.requireAward(communityId, awardId, context);
    assertNoSelfAward(role, user.id, context);

    const reversalId = idOf('pta', context.at, context.commandId);
    const member = { communityId, memberId, userId: user.id, email: user.email };
    const awarded = { awardId, awardedPoints: points, awardedAt: created_at };
    const reversal = { reversalId, ...awarded, ...member, reason, reversedBy: requireUserId(context) };
    return this.reversals.reverse(reversal, context);
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
