import { formatJson, formatJsonLine } from '../../../src/operations/cli/format.js';

const CONTROL_CHARACTERS = 'a\u009b31mb\u007f\u001b[2J';

describe.each([
  ['Readable JSON', formatJson],
  ['JSON on one line', formatJsonLine],
])('%s', (_, written) => {
  it('contains no terminal control character, and parses to the same value', () => {
    const text = written({ name: CONTROL_CHARACTERS });

    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(text)).toEqual({ name: CONTROL_CHARACTERS });
  });
});
