import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../identity/caller.js';
import { Users } from '../../identity/users.js';
import type { RecordedOf } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess } from '../community-access.js';
import type { CommunityRole } from '../domain/community-role.js';
import type { KnownMember } from '../domain/member.js';
import type { Award } from '../domain/points.js';
import { hasSource, pointsSourceDecider, type PointsSourceEvent, pointsSourceIdOf } from '../domain/points-source.js';
import { type PointsAwardDocument, pointsAwards } from '../projections/points-awards.js';
import { Ledgers } from './ledgers.steps.js';

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
    private readonly streams: Streams,
    private readonly ledgers: Ledgers,
    private readonly access: CommunityAccess,
    private readonly users: Users,
    private readonly personal: PersonalFields,
    private readonly reader: ReadModelReader,
  ) {}

  async execute({ context: request, params }: AwardPoints): Promise<PointsAwardDocument> {
    const { communityId, points, targetEmail, source } = params;
    const { role, context } = await this.access.require(communityId, request, 'moderate');
    const { id: memberId, userId, email } = await this.findTarget(communityId, targetEmail);
    assertNoSelfAward(role, userId, context);

    const awardId = idOf('pta', context.at, context.commandId);
    const { type: sourceType, id: sourceId } = source ?? MANUAL_SOURCE;
    const award: Award = { awardId, communityId, memberId, userId, email, points, sourceType, sourceId };
    return this.award(award, context);
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

  /** Returns the first award of a source that is already reserved. A crash may have left its ledger entry missing. */
  private async award(award: Award, context: CallerContext): Promise<PointsAwardDocument> {
    const reserved = await this.reserve(award, context);
    const first = reserved?.data ?? award;
    const duplicate = first.awardId !== award.awardId;
    const known = duplicate ? await this.findDocument(first.awardId) : undefined;
    if (known !== undefined) return { ...known, duplicate };
    const entry = await this.ledgers.enter(first, context, reserved);
    return { ...render(pointsAwards, first.awardId, [entry]), duplicate };
  }

  private async findDocument(awardId: string): Promise<PointsAwardDocument | undefined> {
    return (await this.reader.getExisting(pointsAwards, [awardId])).get(awardId);
  }

  /** Reserves the source and returns the reservation, possibly of an earlier award; null without a source. */
  private async reserve(award: Award, context: CallerContext): Promise<RecordedOf<PointsSourceEvent> | null> {
    if (!hasSource(award)) return null;
    const command = { type: 'ReservePoints', award } as const;
    const outcome = await this.streams.execute(pointsSourceDecider, pointsSourceIdOf(award), command, context);
    const [reserved] = await outcome.loadHistory();
    return reserved as RecordedOf<PointsSourceEvent>;
  }
}

function assertNoSelfAward(role: CommunityRole, userId: string, context: CallerContext): void {
  if (role !== 'moderator' || userId !== requireUserId(context)) return;
  throw new Rejection('self_award', 'Moderators cannot award points to themselves.', 'target_email');
}
