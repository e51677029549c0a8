import { subjectDecider } from '../../../src/identity/domain/subject.js';
import { given } from '../../support/given.js';

const forget = { type: 'ForgetSubject', subjectId: 's1' } as const;
const forgotten = { type: 'SubjectForgotten', data: { subjectId: 's1' } } as const;

describe('A subject', () => {
  it('is forgotten', () => given(subjectDecider).when(forget).then(forgotten));

  it('is forgotten once', () => given(subjectDecider, forgotten).when(forget).thenNothing());
});
