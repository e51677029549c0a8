import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { memberDecider } from '../domain/member.js';
import type { Award } from '../domain/points.js';
import { hasSource, pointsSourceDecider, type PointsSourceEvent, pointsSourceIdOf } from '../domain/points-source.js';
import { type PointsAwardDocument, pointsAwards } from '../projections/points-awards.js';
import { Ledgers } from './ledgers.steps.js';

/** Pays awards: reserves the source, then enters the award in the ledger. */
@Injectable()
export class Awards {
  constructor(
    private readonly streams: Streams,
    private readonly ledgers: Ledgers,
    private readonly reader: ReadModelReader,
  ) {}

  /**
   * Pays each source once: returns the first award of a source that is already reserved. A crash may have left its
   * ledger entry missing. @throws Rejection points_already_awarded, when the first award has other points
   */
  async pay(award: Award, context: Context): Promise<PointsAwardDocument> {
    const reserved = await this.reserve(award, context);
    const first = reserved?.data ?? award;
    const duplicate = first.awardId !== award.awardId;
    const known = duplicate ? await this.findDocument(first.awardId) : undefined;
    if (known !== undefined) return { ...known, duplicate };
    const entry = await this.ledgers.enter(first, context, reserved);
    return { ...render(pointsAwards, first.awardId, [entry]), duplicate };
  }

  /** Pays a reward to its member, once per source. */
  async payReward(reward: Omit<Award, 'email'>, context: Context): Promise<void> {
    if (reward.points === 0) return;
    const member = await this.streams.loadState(memberDecider, reward.memberId);
    if (member.status === 'unknown') throw Rejection.notFound();
    await this.pay({ ...reward, email: member.email }, context).catch(ignoreOtherAward);
  }

  private async findDocument(awardId: string): Promise<PointsAwardDocument | undefined> {
    return (await this.reader.getExisting(pointsAwards, [awardId])).get(awardId);
  }

  /** Reserves the source and returns the reservation, possibly of an earlier award; null without a source. */
  private async reserve(award: Award, context: Context): Promise<RecordedOf<PointsSourceEvent> | null> {
    if (!hasSource(award)) return null;
    const command = { type: 'ReservePoints', award } as const;
    const outcome = await this.streams.execute(pointsSourceDecider, pointsSourceIdOf(award), command, context);
    const [reserved] = await outcome.loadHistory();
    return reserved as RecordedOf<PointsSourceEvent>;
  }
}

/** A moderator may have awarded other points under the source. The source pays once, so the reward is not paid. */
function ignoreOtherAward(error: unknown): void {
  if (!(error instanceof Rejection) || error.code !== 'points_already_awarded') throw error;
}
