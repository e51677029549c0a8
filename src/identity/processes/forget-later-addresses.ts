import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { subjectOfBox } from '../../kernel/encrypted-field.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { userDecider, type UserEvent } from '../domain/user.js';
import { Subjects } from '../subjects.js';
import { Users } from '../users.js';

type EmailVerified = Extract<UserEvent, { type: 'UserEmailVerified' }>;

/** Forgets an address that a user verifies after the user was forgotten, everywhere. */
@Injectable()
export class ForgetLaterAddresses implements Reactor<EmailVerified> {
  readonly name = 'forget-later-addresses';
  readonly types = typesOf<EmailVerified>({ UserEmailVerified: true });

  constructor(
    private readonly streams: Streams,
    private readonly users: Users,
    private readonly subjects: Subjects,
  ) {}

  /** An address that another user has now is left to that user. */
  async react(event: RecordedOf<EmailVerified>): Promise<void> {
    const { userId, email } = event.data;
    const user = await this.streams.loadState(userDecider, userId);
    if (user.status === 'unknown' || !user.isForgotten) return;
    const holder = await this.users.findByEmailHash(email.hash);
    if (holder !== null && holder.id !== userId) return;
    await this.subjects.forget(subjectOfBox(email), createEventContext(event, this.name), email.hash);
  }
}
