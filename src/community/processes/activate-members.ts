import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { userDecider, type UserEvent } from '../../identity/domain/user.js';
import { createEventContext } from '../../kernel/context.js';
import type { RecordedEvent, RecordedOf } from '../../kernel/event.js';
import { Members } from '../commands/members.steps.js';
import type { MemberEvent } from '../domain/member.js';
import { members } from '../projections/members.js';

const PAGE = 100;

type Cause = Extract<UserEvent, { type: 'UserEmailVerified' }> | Extract<MemberEvent, { type: 'MemberImported' }>;

/** Activates the pending memberships of a user who has signed in with the address of an import. */
@Injectable()
export class ActivateMembers implements Reactor<Cause> {
  readonly name = 'activate-members';
  readonly types = ['UserEmailVerified', 'MemberImported'] as const;
  readonly needs = [members];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly steps: Members,
  ) {}

  async react(event: RecordedOf<Cause>): Promise<void> {
    if (event.type === 'UserEmailVerified') await this.activateAll(event.data.userId, event);
    else if (event.data.status === 'pending') await this.activateIfSignedIn(event);
  }

  private async activateAll(userId: string, event: RecordedEvent): Promise<void> {
    await this.reader.requirePosition(members, event.position);
    const { consistency } = createEventContext(event, this.name);
    const pending = await this.reader.find(members, { 'user.id': userId, status: 'pending' }, PAGE, consistency);
    for (const { id } of pending) await this.activate(id, event);
  }

  /** The user may have signed in while the import was running. */
  private async activateIfSignedIn(event: RecordedOf<Extract<Cause, { type: 'MemberImported' }>>): Promise<void> {
    const user = await this.streams.loadState(userDecider, event.data.userId);
    if (user.status === 'registered') await this.activate(event.data.memberId, event);
  }

  private async activate(memberId: string, event: RecordedEvent): Promise<void> {
    const context = createEventContext(event, this.name, memberId);
    await this.steps.change(memberId, { type: 'ActivateMember' }, context);
  }
}
