import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';

/*
 * Stored names never change: a change is a new type. A subject is a keyed hash of an address; `emailHash` is the one by
 * which documents are found. A subject of one buyer, and events of older versions, do not have it.
 */
export type SubjectEvent = Fact<'SubjectForgotten', { readonly subjectId: string; readonly emailHash?: string }>;

export interface Subject {
  readonly status: 'known' | 'forgotten';
}

export interface ForgetSubject {
  readonly type: 'ForgetSubject';
  readonly subjectId: string;
  readonly emailHash?: string;
}

/** A person whose personal fields are encrypted under one key. */
export const subjectDecider: Decider<Subject, ForgetSubject, SubjectEvent> = {
  category: 'subject',
  versions: { SubjectForgotten: 1 },
  initial: { status: 'known' },
  evolve: () => ({ status: 'forgotten' }),
  decide: ({ type: _, ...data }, { status }) => (status === 'forgotten' ? [] : [{ type: 'SubjectForgotten', data }]),
};
