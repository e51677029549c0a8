import { oneLine, readable } from '../../src/operations/table.js';

const SPEAKS_TO_THE_TERMINAL = 'a\u009b31mb\u007f\u001b[2J';

describe.each([
  ['Readable JSON', readable],
  ['JSON on one line', oneLine],
])('%s', (_, written) => {
  it('contains no terminal control character, and parses to the same value', () => {
    const text = written({ name: SPEAKS_TO_THE_TERMINAL });

    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(text)).toEqual({ name: SPEAKS_TO_THE_TERMINAL });
  });
});
