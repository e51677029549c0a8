import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { memberDecider } from '../domain/member.js';
import type { Award } from '../domain/points.js';
import { pointsReversalDecider } from '../domain/points-reversal.js';
import { pointsSourceDecider, pointsSourceIdOf } from '../domain/points-source.js';
import { Awards } from './awards.steps.js';

/** The balance of another system is paid once to a member. The guide about moving in names this source. */
const IMPORT_SOURCE = { sourceType: 'import', sourceId: 'balance' };

type Account = Pick<Award, 'communityId' | 'memberId'>;

/** Pays the points of the rows of an import, each as an award with a source. */
@Injectable()
export class ImportedPoints {
  constructor(
    private readonly streams: Streams,
    private readonly awards: Awards,
  ) {}

  /**
   * Refuses points that can no longer be paid before the row changes anything. @throws Rejection
   * points_already_awarded
   */
  async assertPayable(account: Account, points: number | null | undefined): Promise<void> {
    if (!points) return;
    const source = await this.streams.loadState(
      pointsSourceDecider,
      pointsSourceIdOf({ ...account, ...IMPORT_SOURCE }),
    );
    if (source.status === 'free') return;
    const { awardId, points: paid } = source.award;
    const { status } = await this.streams.loadState(pointsReversalDecider, awardId);
    if (paid === points && status === 'none') return;
    const reversed = status === 'none' ? '' : ', which were reversed';
    const detail = `An import has already paid the member ${paid} points${reversed}. Award points with another source.`;
    throw new Rejection('points_already_awarded', detail, 'points');
  }

  /** Returns whether this run has paid the points, also when it is repeated. */
  async pay(account: Account, points: number | null | undefined, context: Context): Promise<boolean> {
    if (!points) return false;
    const member = await this.streams.loadState(memberDecider, account.memberId);
    if (member.status === 'unknown') throw Rejection.notFound();
    const child = createChildContext(context, 'points');
    const awardId = idOf('pta', child.at, child.commandId);
    const { userId, email } = member;
    const award = { ...account, ...IMPORT_SOURCE, awardId, userId, email, points };
    return !(await this.awards.pay(award, child)).duplicate;
  }
}
