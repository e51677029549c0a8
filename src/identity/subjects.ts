import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../engine/encryption/personal-fields.js';
import { Streams } from '../engine/streams/streams.js';
import type { Context } from '../kernel/context.js';
import { subjectDecider } from './domain/subject.js';

/** Forgets persons. Fields that are encrypted for a forgotten address, before or after, can never be decrypted. */
@Injectable()
export class Subjects {
  constructor(
    private readonly streams: Streams,
    private readonly personal: PersonalFields,
  ) {}

  /**
   * Records the event before it destroys the key: after a crash the reactor destroys the key. Returns false when it
   * was forgotten before.
   */
  async forget(subjectId: string, context: Context): Promise<boolean> {
    const { status } = await this.streams.loadState(subjectDecider, subjectId);
    await this.streams.execute(subjectDecider, subjectId, { type: 'ForgetSubject', subjectId }, context);
    await this.personal.forget(subjectId);
    return status === 'known';
  }

  /** Returns whether personal fields were ever stored for the subject, also when it was forgotten since. */
  async isKnown(subjectId: string): Promise<boolean> {
    const { status } = await this.streams.loadState(subjectDecider, subjectId);
    return status === 'forgotten' || this.personal.hasKey(subjectId);
  }

  /** Returns whether the person with this address was forgotten, everywhere or in the scope. */
  async isForgotten(email: string, scope: string): Promise<boolean> {
    const ids = [this.personal.subjectOf(email), this.personal.subjectOf(email, scope)];
    const found = await Promise.all(ids.map((id) => this.streams.loadState(subjectDecider, id)));
    return found.some(({ status }) => status === 'forgotten');
  }
}
