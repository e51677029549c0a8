import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { memberDecider } from '../domain/member.js';
import { isPresent, type KnownMember } from '../domain/member-state.js';
import { type Award, pointsDecider, type PointsEvent } from '../domain/points.js';
import { pointsSourceDecider, type PointsSourceEvent, pointsSourceIdOf } from '../domain/points-source.js';
import { Awards } from './awards.steps.js';
import { Members } from './members.steps.js';

/** The source type of an award without a source that was moved from a pending member; its source id is the award. */
const MOVED_SOURCE = 'pending_member';

type MovableAward = Pick<Award, 'awardId' | 'communityId' | 'memberId' | 'sourceType' | 'sourceId'>;

/** Makes pending members the members of the users who sign in. A repeated call has no effect. */
@Injectable()
export class PendingMembers {
  constructor(
    private readonly streams: Streams,
    private readonly members: Members,
    private readonly awards: Awards,
  ) {}

  /**
   * Activates a pending member for the user who has signed in with the address. A user who has joined as another member
   * keeps that one, which gets the points, the role and the level of the pending member. A banned one stays banned, and
   * the ban holds for the user also after a change of the address.
   */
  async activate(communityId: string, pendingId: string, userId: string, context: Context): Promise<void> {
    const pending = await this.streams.loadState(memberDecider, pendingId);
    if (pending.status === 'unknown' || !pending.isPending || pending.status === 'removed') return;
    const claimContext = createChildContext(context, 'claim-user', pendingId);
    const memberId = await this.members.claimUser({ communityId, memberId: pendingId }, userId, claimContext);
    if (pending.status === 'banned') return;
    if (memberId !== pendingId) await this.merge(pending, memberId, createChildContext(context, 'merge', pendingId));
    const command =
      memberId === pendingId
        ? ({ type: 'ActivateMember', userId } as const)
        : ({ type: 'MergeMember', userId, into: memberId } as const);
    await this.members.change(pendingId, command, createChildContext(context, 'activate', pendingId));
  }

  /** Returns the reservation of the award to which a merge moved this one; null when it was not moved. */
  async findMovedAward(award: MovableAward): Promise<RecordedOf<PointsSourceEvent> | null> {
    const member = await this.streams.loadState(memberDecider, award.memberId);
    if (member.status === 'unknown' || member.mergedInto === undefined) return null;
    const id = pointsSourceIdOf({ ...award, memberId: member.mergedInto, ...toMovedSource(award) });
    const [reserved] = await this.streams.loadHistory(pointsSourceDecider, id);
    return (reserved as RecordedOf<PointsSourceEvent> | undefined) ?? null;
  }

  private async merge(pending: KnownMember, memberId: string, context: Context): Promise<void> {
    const member = await this.streams.loadState(memberDecider, memberId);
    if (member.status === 'unknown') return;
    await this.movePoints(pending, member, context);
    const changes = {
      ...(pending.role === 'moderator' && { role: pending.role }),
      minimumLevel: isPresent(member) ? Math.max(pending.minimumLevel, member.minimumLevel) : pending.minimumLevel,
    };
    const command = { type: 'ReimportMember', email: null, changes } as const;
    await this.members.change(memberId, command, context).catch(ignoreProtected);
  }

  /** Awards again what the pending member got and kept. A source that has paid the member already does not pay again. */
  private async movePoints(
    { id }: KnownMember,
    { id: memberId, userId }: KnownMember,
    context: Context,
  ): Promise<void> {
    const entries = (await this.streams.loadHistory(pointsDecider, id)) as readonly RecordedOf<PointsEvent>[];
    const reversed = new Set(entries.map(({ type, data }) => (type === 'PointsReversed' ? data.awardId : null)));
    for (const { type, data } of entries) {
      if (type !== 'PointsAwarded' || reversed.has(data.awardId)) continue;
      const { communityId, points } = data;
      const child = createChildContext(context, 'award', data.awardId);
      const awardId = idOf('pta', child.at, child.commandId);
      await this.awards.payReward({ awardId, communityId, memberId, userId, points, ...toMovedSource(data) }, child);
    }
  }
}

function toMovedSource({ awardId, sourceType, sourceId }: Pick<Award, 'awardId' | 'sourceType' | 'sourceId'>) {
  return sourceId === null ? { sourceType: MOVED_SOURCE, sourceId: awardId } : { sourceType, sourceId };
}

/** The owner stays the owner, and a ban stays. */
function ignoreProtected(error: unknown): void {
  const code = error instanceof Rejection ? (error.errors[0]?.code ?? error.code) : null;
  if (code !== 'owner_protected' && code !== 'banned_member') throw error;
}
