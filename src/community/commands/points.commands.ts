import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import { Users } from '../../identity/users.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { asCommunityBusiness, CommunityRoles, requireUserId } from '../community-roles.js';
import { assertModerator, type CommunityRole } from '../domain/community-role.js';
import type { KnownMember } from '../domain/member.js';
import type { Award } from '../domain/points.js';
import {
  hasSource,
  pointsSourceDecider,
  type PointsSourceEvent,
  pointsSourceIdOf,
  toAward,
} from '../domain/points-source.js';
import { type PointsAwardDocument, pointsAwards } from '../projections/points-awards.js';
import { enterAward } from './award-points.steps.js';

/** The recorded source of an award without a source. */
const MANUAL_SOURCE = { type: 'manual', id: null };

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
    private readonly roles: CommunityRoles,
    private readonly users: Users,
    private readonly personal: PersonalFields,
    private readonly views: ReadModelReader,
  ) {}

  async execute({ context, communityId, points, targetEmail, source }: AwardPoints): Promise<PointsAwardDocument> {
    const { community, role } = await this.roles.resolve(communityId, context);
    assertModerator(role);
    const { id: memberId, userId, email } = await this.findTarget(communityId, targetEmail);
    assertNoSelfAward(role, userId, context);

    const awardId = idOf('pta', context.at, context.commandId);
    const { type: sourceType, id: sourceId } = source ?? MANUAL_SOURCE;
    const award: Award = { awardId, communityId, memberId, userId, email, points, sourceType, sourceId };
    return this.award(award, asCommunityBusiness(community, context));
  }

  /** Finds the member who joined with the address, or whose verified address it is now. */
  private async findTarget(communityId: string, address: string): Promise<KnownMember> {
    const joined = await this.roles.findMember(communityId, this.personal.hash(address));
    if (joined.status === 'active') return joined;

    const user = await this.users.findByEmail(address);
    const found = user === null ? joined : await this.roles.findMember(communityId, user.id);
    if (found.status === 'unknown')
      throw new Rejection('member_not_found', 'The community has no such member.', 'target_email');
    return { ...found, email: user!.email };
  }

  /** Returns the first award of a source that is already reserved. A crash may have left its ledger entry missing. */
  private async award(award: Award, context: CallerContext): Promise<PointsAwardDocument> {
    const reserved = await this.reserve(award, context);
    const paid = reserved === null ? award : toAward(reserved.data as PointsSourceEvent['data']);
    const duplicate = paid.awardId !== award.awardId;
    const known = duplicate
      ? (await this.views.getExisting(pointsAwards, [paid.awardId])).get(paid.awardId)
      : undefined;
    if (known !== undefined) return { ...known, duplicate };
    return {
      ...render(pointsAwards, paid.awardId, [await enterAward(this.streams, paid, context, reserved)]),
      duplicate,
    };
  }

  /** Reserves the source and returns the reservation, possibly of an earlier award; null without a source. */
  private async reserve(award: Award, context: CallerContext): Promise<RecordedEvent | null> {
    if (!hasSource(award)) return null;
    const command = { type: 'ReservePoints', award } as const;
    const { loadHistory: history } = await this.streams.execute(
      pointsSourceDecider,
      pointsSourceIdOf(award),
      command,
      context,
    );
    return (await history())[0]!;
  }
}

function assertNoSelfAward(role: CommunityRole, userId: string, context: CallerContext): void {
  if (role !== 'moderator' || userId !== requireUserId(context)) return;
  throw new Rejection('self_award', 'Moderators cannot award points to themselves.', 'target_email');
}
