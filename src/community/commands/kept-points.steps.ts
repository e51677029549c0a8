import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedEvent, RecordedOf } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { memberDecider } from '../domain/member.js';
import { type KeptAward, type LedgerEntry, pointsDecider } from '../domain/points.js';
import { Ledgers } from './ledgers.steps.js';
import { Reversals } from './reversals.steps.js';

const REASON = 'The member was removed before joining.';

type Awarded = RecordedOf<Extract<LedgerEntry, { type: 'PointsAwarded' }>>;

/** The user and the event that ended the points of a member. */
interface KeptPointsEnd {
  readonly by: string;
  readonly event: RecordedEvent;
}

/** Pays or ends the points that were kept for a member who had not signed in. A repeated call has no effect. */
@Injectable()
export class KeptPoints {
  constructor(
    private readonly streams: Streams,
    private readonly ledgers: Ledgers,
    private readonly reversals: Reversals,
  ) {}

  /** Pays what is kept for a member who has joined. */
  async pay(memberId: string, context: Context): Promise<void> {
    const { kept } = await this.streams.loadState(pointsDecider, memberId);
    const member = await this.streams.loadState(memberDecider, memberId);
    if (kept.length === 0 || member.status === 'unknown') return;
    const { userId, email } = member;
    const awards = (await this.listAwards(memberId)).filter(({ data }) => kept.includes(data.awardId));
    const paid = awards.map(({ data }) => ({ ...toKeptAward(data), userId, email }));
    await this.ledgers.pay(memberId, paid, context);
  }

  /** Reverses what was kept for a member before the event. */
  async end(memberId: string, { by, event }: KeptPointsEnd, context: Context): Promise<void> {
    const { kept } = await this.streams.loadState(pointsDecider, memberId);
    for (const { position, data, meta } of await this.listAwards(memberId)) {
      if (position > event.position || !kept.includes(data.awardId)) continue;
      const { awardId, communityId, userId, email, points: awardedPoints } = data;
      const child = createChildContext(context, 'end', awardId);
      const reversalId = idOf('pta', child.at, child.commandId);
      const award = { awardId, communityId, memberId, userId, email, awardedPoints, awardedAt: meta.at };
      await this.reversals.reverse({ reversalId, ...award, reason: REASON, reversedBy: by }, child);
    }
  }

  private async listAwards(memberId: string): Promise<readonly Awarded[]> {
    const history = (await this.streams.loadHistory(pointsDecider, memberId)) as readonly RecordedOf<LedgerEntry>[];
    return history.filter((event): event is Awarded => event.type === 'PointsAwarded');
  }
}

function toKeptAward({ kept: _, at, ...award }: Awarded['data']): KeptAward {
  return { ...award, awardedAt: at };
}
