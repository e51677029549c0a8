import { findChangedResponses, removeSecrets } from './idempotent-responses.js';

const FIRST = '{"data":{"id":"whs_1","signing_secret":"whsec_1","status":"enabled"}}';
const KEPT = '{"data":{"id":"whs_1","status":"enabled"}}';

describe('The check of I10 and I11, idempotent responses,', () => {
  const repeated = (text: string, status = 201) =>
    findChangedResponses([
      { key: 'endpoint-1', first: { status: 201, text: removeSecrets(FIRST) }, again: { status, text } },
    ]);

  it('accepts the same bytes without the secret', () => {
    expect(repeated(KEPT)).toEqual([]);
  });

  it.each([
    ['a secret that is shown again', FIRST],
    ['another order of members', '{"data":{"status":"enabled","id":"whs_1"}}'],
    ['another value', '{"data":{"id":"whs_2","status":"enabled"}}'],
  ])('finds %s', (_, text) => {
    expect(repeated(text)).toHaveLength(1);
  });

  it('finds another status', () => {
    expect(repeated(KEPT, 200)).toHaveLength(1);
  });
});
