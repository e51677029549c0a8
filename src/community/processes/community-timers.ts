import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createSystemContext } from '../../identity/system-context.js';
import { type Context, createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { uuidV5 } from '../../kernel/ids.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { CommunityContexts } from '../community-contexts.js';
import { challengeDecider, type ChallengeEvent } from '../domain/challenge.js';
import { communityDecider, type CommunityEvent } from '../domain/community.js';
import { inviteDecider, type InviteEvent } from '../domain/invite.js';
import { challenges } from '../projections/challenges.js';
import { invites } from '../projections/invites.js';

const PAGE = 100;

type Cause =
  | Extract<ChallengeEvent, { type: 'ChallengeCreated' | 'ChallengeEdited' }>
  | Extract<InviteEvent, { type: 'InviteCreated' | 'InviteRenewed' }>
  | Extract<CommunityEvent, { type: 'CommunityReopened' }>;

interface Timer {
  readonly kind: 'challenge' | 'invite';
  readonly id: string;
  readonly communityId: string;
  /** The event that started the timer. */
  readonly eventId: string;
  readonly correlationId: string;
}

/**
 * Starts and ends challenges, and ends invites, at their times. A job is never cancelled: the decider ignores one that no
 * longer fits. A community works in live mode, so these times are real times. While a community is archived, its
 * challenges neither start nor end; its reopening starts the timers again. The reactor begins with the log, so the
 * challenges and invites of older versions end too, at once when they are due.
 */
@Injectable()
export class CommunityTimers implements Reactor<Cause>, JobHandler<Timer> {
  readonly name = 'community-timers';
  readonly types = typesOf<Cause>({
    ChallengeCreated: true,
    ChallengeEdited: true,
    InviteCreated: true,
    InviteRenewed: true,
    CommunityReopened: true,
  });
  readonly needs = [challenges, invites];
  readonly queue = declareQueue<Timer>({ name: 'community-timers' });
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly jobs: Jobs,
    private readonly contexts: CommunityContexts,
  ) {}

  async react(event: RecordedOf<Cause>): Promise<void> {
    const { data } = event;
    if ('challengeId' in data) await this.startChallenge(data.challengeId, event);
    else if ('inviteId' in data) await this.startInvite(data.inviteId, event);
    else await this.startAll(data.communityId, event);
  }

  async run({ due, data: timer }: Pick<Job<Timer>, 'due' | 'data'>): Promise<void> {
    const { kind, id, communityId } = timer;
    const community = await this.streams.loadState(communityDecider, communityId);
    if (kind === 'challenge' && community.status !== 'active') return;
    const context = await this.contexts.enter(communityId, this.createContext(timer, due));
    if (kind === 'challenge')
      await this.streams.execute(challengeDecider, id, { type: 'AdvanceChallenge', dueAt: due }, context);
    else await this.streams.execute(inviteDecider, id, { type: 'ExpireInvite', dueAt: due }, context);
  }

  private async startAll(communityId: string, event: RecordedOf<Cause>): Promise<void> {
    const { consistency } = createEventContext(event, this.name);
    const page = { limit: PAGE, orderBy: 'created_at' } as const;
    await this.reader.requirePosition(challenges, event.position);
    await this.reader.requirePosition(invites, event.position);
    const ofChallenges = { ...page, where: { 'community.id': communityId, cancelled_at: null } };
    for await (const slice of readSlices(this.reader, challenges, ofChallenges, consistency))
      for (const { id } of slice) await this.startChallenge(id, event);
    const ofInvites = { ...page, where: { 'community.id': communityId } };
    for await (const slice of readSlices(this.reader, invites, ofInvites, consistency))
      for (const { id, status } of slice) if (status === 'pending') await this.startInvite(id, event);
  }

  private async startChallenge(id: string, event: RecordedOf<Cause>): Promise<void> {
    const challenge = await this.streams.loadState(challengeDecider, id);
    if (challenge.status !== 'planned') return;
    const { recordedStatus, content } = challenge;
    if (recordedStatus === 'scheduled') await this.enqueue('challenge', id, content.startsAt, event);
    if (recordedStatus !== 'ended' && content.endsAt !== null)
      await this.enqueue('challenge', id, content.endsAt, event);
  }

  private async startInvite(id: string, event: RecordedOf<Cause>): Promise<void> {
    const invite = await this.streams.loadState(inviteDecider, id);
    if (invite.status === 'pending') await this.enqueue('invite', id, invite.expiresAt, event);
  }

  private async enqueue(kind: Timer['kind'], id: string, due: string, event: RecordedOf<Cause>): Promise<void> {
    const { communityId } = event.data;
    const data = { kind, id, communityId, eventId: event.id, correlationId: event.meta.correlationId };
    await this.jobs.enqueue([this.queue.createJob({ key: `${kind}:${id}:${due}`, due, data })]);
  }

  private createContext({ kind, id, eventId, correlationId }: Timer, due: string): Context {
    const commandId = uuidV5(eventId, this.name, kind, id, due);
    const system = createSystemContext(Date.parse(due), commandId, { type: 'system', id: this.name });
    return { ...system, correlationId, causationId: eventId };
  }
}
