import { shareOf, showing } from '../../src/operations/progress.js';

describe('The share of a walk along the log', () => {
  it.each([
    ['000025', '000100', 0.25],
    ['0000000000000000050-0000000000000000050', '0000000000000000200-0000000000000000190', 0.25],
    ['000200', '000100', 1],
    ['', '000100', null],
    ['000010', '', null],
    ['000000', '000000', null],
  ])('from %j to %j is %p', (position, head, share) => expect(shareOf(position, head)).toBe(share));
});

describe('Progress without a terminal', () => {
  it('ends with a line that has the totals', async () => {
    const lines: string[] = [];
    const error = console.error;
    console.error = (line: string) => lines.push(line);
    try {
      await showing('log', '300', {}, async (report) => {
        for (const events of [100, 200, 265]) report({ events, perSecond: 1_000, position: String(events) });
      });
    } finally {
      console.error = error;
    }

    expect(lines).toEqual([expect.stringMatching(/^log +33 % +100 events/), expect.stringMatching(/^log +88 % +265 events/)]);
  });
});
