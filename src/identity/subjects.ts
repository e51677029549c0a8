import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../engine/encryption/personal-fields.js';
import { firstSubjectOf, isKnownAgain, joinScope, nameSubject } from '../engine/encryption/subject-names.js';
import { Streams } from '../engine/streams/streams.js';
import type { Context } from '../kernel/context.js';
import { omitUndefined } from '../kernel/omit-undefined.js';
import { subjectDecider } from './domain/subject.js';

/** An address of a person. */
export interface PersonAddress {
  /** Any subject of the address. */
  readonly subject: string;
  /** The keyed hash of the address. */
  readonly hash: string;
}

/** Forgets persons. A person whose address is given again after an erasure is another subject. */
@Injectable()
export class Subjects {
  constructor(
    private readonly streams: Streams,
    private readonly personal: PersonalFields,
  ) {}

  /**
   * Records the event before it destroys the key: after a crash the reactor destroys the key. Returns false when it
   * was forgotten before.
   * @param emailHash the keyed hash of the address, by which the documents of the person are found
   */
  async forget(subjectId: string, context: Context, emailHash?: string): Promise<boolean> {
    const { status } = await this.streams.loadState(subjectDecider, subjectId);
    const command = omitUndefined({ type: 'ForgetSubject', subjectId, emailHash } as const);
    await this.streams.execute(subjectDecider, subjectId, command, context);
    await this.personal.forget(subjectId);
    return status === 'known';
  }

  /**
   * Forgets an address everywhere, also when it was given again after an earlier erasure. Returns false when it was not.
   */
  async forgetAddress({ subject, hash }: PersonAddress, context: Context): Promise<boolean> {
    const known = await this.findKnown(firstSubjectOf(subject));
    if (isKnownAgain(known) && !(await this.personal.hasKey(known))) return false;
    return this.forget(known, context, hash);
  }

  /** Returns the subject for which the fields of an address in a scope are encrypted now. */
  async findScoped(email: string, scope: string): Promise<string> {
    return this.findKnown(joinScope(await this.findKnown(this.personal.subjectOf(email)), scope));
  }

  /** Returns whether personal fields were ever stored for the subject, also when it was forgotten since. */
  async isKnown(subjectId: string): Promise<boolean> {
    const { status } = await this.streams.loadState(subjectDecider, subjectId);
    return status === 'forgotten' || this.personal.hasKey(subjectId);
  }

  /** Returns the first subject of this name that was not forgotten. */
  private async findKnown(name: string): Promise<string> {
    for (let erasures = 0; ; erasures++) {
      const subject = nameSubject(name, erasures);
      if ((await this.streams.loadState(subjectDecider, subject)).status === 'known') return subject;
    }
  }
}
