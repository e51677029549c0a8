import { formatJson, formatJsonLine } from '../../../src/operations/cli/format.js';

const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const CONTROL_CHARACTERS = 'x\u202ey\u2066z\u2028a\u009b31mb\u007f\u001b[2J';

describe.each([
  ['Readable JSON', formatJson],
  ['JSON on one line', formatJsonLine],
])('%s', (_, written) => {
  it('contains no terminal control character, and parses to the same value', () => {
    const text = written({ name: CONTROL_CHARACTERS });

    expect(text.replaceAll('\n', '')).not.toMatch(HIDDEN);
    expect(JSON.parse(text)).toEqual({ name: CONTROL_CHARACTERS });
  });
});
