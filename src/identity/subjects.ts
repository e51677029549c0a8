import { Injectable } from '@nestjs/common';
import { Personal } from '../engine/sealing/personal.js';
import type { Reactor } from '../engine/registry.js';
import { Streams } from '../engine/streams/streams.js';
import type { Context } from '../kernel/context.js';
import type { EventOf } from '../kernel/projection.js';
import { subject, type SubjectEvent } from './domain/subject.js';

/** Forgets people. What was sealed for a forgotten address opens for nobody, and so does what is sealed for it later. */
@Injectable()
export class Subjects {
  constructor(
    private readonly streams: Streams,
    private readonly personal: Personal,
  ) {}

  /** The event comes first: a crash in between leaves the key to be destroyed by whoever sees the event. False when it was done before. */
  async forget(subjectId: string, context: Context): Promise<boolean> {
    const { status } = await this.streams.state(subject, subjectId);
    await this.streams.execute(subject, subjectId, { type: 'ForgetSubject', subjectId }, context);
    await this.personal.forget(subjectId);
    return status === 'known';
  }
}

/** Destroys the key after a crash that cut the command short, and again in a vault that was restored from an earlier time. */
@Injectable()
export class ForgetSubjects implements Reactor {
  readonly name = 'forget-subjects';
  readonly types = ['SubjectForgotten'];

  constructor(private readonly personal: Personal) {}

  react({ data }: EventOf<SubjectEvent, 'SubjectForgotten'>): Promise<void> {
    return this.personal.forget(data.subjectId);
  }
}
