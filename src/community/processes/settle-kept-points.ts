import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { KeptPoints } from '../commands/kept-points.steps.js';
import { memberDecider } from '../domain/member.js';
import type { MemberEvent } from '../domain/member-events.js';
import type { LedgerEntry } from '../domain/points.js';

type Settling = Extract<MemberEvent, { type: 'MemberActivated' | 'MemberRemoved' }>;
type Removal = RecordedOf<Extract<Settling, { type: 'MemberRemoved' }>>;
type Awarded = Extract<LedgerEntry, { type: 'PointsAwarded' }>;
type Cause = Settling | Awarded;

/**
 * Pays the points that were kept for a member who joins, and ends those of a member who is removed before. An award can
 * be recorded after the event that it should precede, so it is settled too.
 */
@Injectable()
export class SettleKeptPoints implements Reactor<Cause> {
  readonly name = 'settle-kept-points';
  readonly types = typesOf<Cause>({ MemberActivated: true, MemberRemoved: true, PointsAwarded: true });

  constructor(
    private readonly streams: Streams,
    private readonly points: KeptPoints,
  ) {}

  async react(event: RecordedOf<Cause>): Promise<void> {
    if (event.type === 'MemberActivated')
      return this.points.pay(event.data.memberId, createEventContext(event, this.name));
    return event.type === 'MemberRemoved' ? this.endRemoved(event) : this.settle(event);
  }

  /** A merged member leaves the points to the other one. */
  private async endRemoved(event: Removal): Promise<void> {
    const { memberId, userId, by, wasActive, mergedInto } = event.data;
    if (wasActive || mergedInto !== undefined) return;
    await this.points.end(memberId, { by: by ?? userId, event }, createEventContext(event, this.name));
  }

  private async settle(event: RecordedOf<Awarded>): Promise<void> {
    const { memberId, kept } = event.data;
    if (!kept) return;
    const member = await this.streams.loadState(memberDecider, memberId);
    if (member.status === 'unknown' || member.mergedInto !== undefined) return;
    const context = createEventContext(event, this.name);
    if (!member.isPending) await this.points.pay(memberId, context);
    else if (member.status === 'removed') await this.points.end(memberId, { by: member.userId, event }, context);
  }
}
