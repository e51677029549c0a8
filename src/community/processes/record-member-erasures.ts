import { Injectable } from '@nestjs/common';
import { unscopedSubjectOfBox } from '../../engine/encryption/subject-names.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import type { SubjectEvent } from '../../identity/domain/subject.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Members } from '../commands/members.steps.js';
import { CommunityContexts } from '../community-contexts.js';
import { MEMBER_STATUSES } from '../domain/member-events.js';
import { members } from '../projections/members.js';

/** More memberships of one person are not expected. */
const MAX_MEMBERSHIPS = 1_000;

/** Records that a member is erased, for each community, when an operator has erased the address of the member. */
@Injectable()
export class RecordMemberErasures implements Reactor<SubjectEvent> {
  readonly name = 'record-member-erasures';
  readonly types = typesOf<SubjectEvent>({ SubjectForgotten: true });
  readonly needs = [members];

  constructor(
    private readonly reader: ReadModelReader,
    private readonly steps: Members,
    private readonly contexts: CommunityContexts,
  ) {}

  async react(event: RecordedOf<SubjectEvent>): Promise<void> {
    const { emailHash, subjectId } = event.data;
    if (emailHash === undefined) return;
    await this.reader.requirePosition(members, event.position);
    const where = { 'user.email.hash': emailHash, status: { in: MEMBER_STATUSES } };
    const { consistency } = createEventContext(event, this.name);
    const found = await this.reader.find(members, where, MAX_MEMBERSHIPS, consistency, '_createdAt');
    for (const { id, community, user } of found) {
      // The address may have been given again since.
      if (user?.email && unscopedSubjectOfBox(user.email) !== subjectId) continue;
      const context = await this.contexts.enter(community.id, createEventContext(event, this.name, id));
      await this.steps.change(id, { type: 'RecordErasure', emailHash }, context);
    }
  }
}
