import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Views } from '../../engine/reading/views.js';
import { Personal } from '../../engine/sealing/personal.js';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import { Users } from '../../identity/users.js';
import type { Recorded } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import type { KnownMember } from '../domain/member.js';
import type { Award } from '../domain/points.js';
import { awardOf, hasSource, pointsSource, pointsSourceId, type PointsSourceEvent } from '../domain/points-source.js';
import { refuseAllButModerators, type Standing } from '../domain/standing.js';
import { pointsAwards, type PointsAwardDocument } from '../projections/points-awards.js';
import { credit } from './crediting.js';
import { Standings, userIdOf, within } from '../standings.js';

/** The recorded source of an award without a source. */
const BY_HAND = { type: 'manual', id: null };

export class AwardPoints extends Command<PointsAwardDocument> {
  constructor(
    readonly context: CallerContext,
    readonly communityId: string,
    readonly points: number,
    readonly targetEmail: string,
    readonly source: { readonly type: string; readonly id: string } | null,
  ) {
    super();
  }
}

@CommandHandler(AwardPoints)
export class AwardPointsHandler implements ICommandHandler<AwardPoints> {
  constructor(
    private readonly streams: Streams,
    private readonly standings: Standings,
    private readonly users: Users,
    private readonly personal: Personal,
    private readonly views: Views,
  ) {}

  async execute({ context, communityId, points, targetEmail, source }: AwardPoints): Promise<PointsAwardDocument> {
    const { community, standing } = await this.standings.of(communityId, context);
    refuseAllButModerators(standing);
    const { id: memberId, userId, email } = await this.target(communityId, targetEmail);
    refuseSelfAward(standing, userId, context);

    const awardId = idOf('pta', context.at, context.commandId);
    const { type: sourceType, id: sourceId } = source ?? BY_HAND;
    const award: Award = { awardId, communityId, memberId, userId, email, points, sourceType, sourceId };
    return this.award(award, within(community, context));
  }

  /** Finds the member who joined with the address, or whose verified address it is now. */
  private async target(communityId: string, address: string): Promise<KnownMember> {
    const joined = await this.standings.member(communityId, this.personal.hash(address));
    if (joined.status === 'active') return joined;

    const user = await this.users.find(address);
    const found = user === null ? joined : await this.standings.member(communityId, user.id);
    if (found.status === 'unknown') throw new Rejection('member_not_found', 'The community has no such member.', 'target_email');
    return { ...found, email: user!.email };
  }

  /** Returns the first award of a source that is already reserved. A crash may have left its ledger entry missing. */
  private async award(award: Award, context: CallerContext): Promise<PointsAwardDocument> {
    const reserved = await this.reserved(award, context);
    const paid = reserved === null ? award : awardOf(reserved.data as PointsSourceEvent['data']);
    const duplicate = paid.awardId !== award.awardId;
    const known = duplicate ? (await this.views.known(pointsAwards, [paid.awardId])).get(paid.awardId) : undefined;
    if (known !== undefined) return { ...known, duplicate };
    return { ...render(pointsAwards, paid.awardId, [await credit(this.streams, paid, context, reserved)]), duplicate };
  }

  /** Reserves the source and returns the reservation, possibly of an earlier award; null without a source. */
  private async reserved(award: Award, context: CallerContext): Promise<Recorded | null> {
    if (!hasSource(award)) return null;
    const reserve = { type: 'ReservePoints', award } as const;
    const { history } = await this.streams.execute(pointsSource, pointsSourceId(award), reserve, context);
    return (await history())[0]!;
  }
}

function refuseSelfAward(standing: Standing, userId: string, context: CallerContext): void {
  if (standing !== 'moderator' || userId !== userIdOf(context)) return;
  throw new Rejection('self_award', 'Moderators cannot award points to themselves.', 'target_email');
}
