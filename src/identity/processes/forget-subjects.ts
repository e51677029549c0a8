import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import type { Reactor } from '../../engine/registry.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import type { SubjectEvent } from '../domain/subject.js';

/** Destroys the key after a crash interrupted the command, and again in a vault that was restored from a backup. */
@Injectable()
export class ForgetSubjects implements Reactor<SubjectEvent> {
  readonly name = 'forget-subjects';
  readonly types = typesOf<SubjectEvent>({ SubjectForgotten: true });

  constructor(private readonly personal: PersonalFields) {}

  react({ data }: RecordedOf<SubjectEvent>): Promise<void> {
    return this.personal.forget(data.subjectId);
  }
}
