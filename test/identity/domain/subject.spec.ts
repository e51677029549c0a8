import { subject } from '../../../src/identity/domain/subject.js';
import { given } from '../../support/given.js';

const forget = { type: 'ForgetSubject', subjectId: 's1' } as const;
const forgotten = { type: 'SubjectForgotten', data: { subjectId: 's1' } } as const;

describe('A subject', () => {
  it('is forgotten', () => given(subject).when(forget).then(forgotten));

  it('is forgotten once', () => given(subject, forgotten).when(forget).nothing());
});
