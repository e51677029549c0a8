import { problemHeadersFor } from '../../../src/http/problems/problem.js';
import { PROBLEM_CODES, type ProblemCode, statusFor } from '../../../src/http/problems/problem-codes.js';
import { PROBLEM_TEXTS } from '../../../src/http/problems/problem-texts.js';

/** Conflicts with other content: the same request never succeeds. */
const LASTING = ['idempotency_key_conflict', 'points_already_awarded', 'operation_refused'];

describe('Retry-After', () => {
  const conflicts = (Object.keys(PROBLEM_CODES) as ProblemCode[]).filter((code) => statusFor(code) === 409);

  it.each(conflicts)('tells when to repeat a request, unless the conflict lasts: %s', (code) => {
    const isLasting = LASTING.includes(code);
    expect(problemHeadersFor(code)['retry-after']).toBe(isLasting ? undefined : '1');
    if (!isLasting) expect(['later', 'laterIfPossible']).toContain(PROBLEM_TEXTS[code].repeat);
  });
});
