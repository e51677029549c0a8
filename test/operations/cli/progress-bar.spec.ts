import { estimateShare, ProgressLines } from '../../../src/operations/cli/progress-bar.js';

describe('The estimated share of a log that was read', () => {
  it.each([
    ['000025', '000100', 0.25],
    ['0000000000000000050-0000000000000000050', '0000000000000000200-0000000000000000190', 0.25],
    ['000200', '000100', 1],
    ['', '000100', null],
    ['000010', '', null],
    ['000000', '000000', null],
  ])('for position %j and head %j is %p', (position, head, share) => expect(estimateShare(position, head)).toBe(share));
});

describe('Progress without a terminal', () => {
  const printed = (...reports: readonly (readonly [ms: number, events: number])[]) => {
    const lines: number[] = [];
    let now = 0;
    const progress = new ProgressLines(
      ({ events }) => lines.push(events),
      () => now,
    );
    for (const [ms, events] of reports) {
      now = ms;
      progress.report({ events, perSecond: 1_000, position: String(events) });
    }
    progress.end();
    return lines;
  };

  it('prints the first line immediately, then one every two seconds, and the totals at the end', () =>
    expect(printed([1_000, 99], [1_001, 100], [2_000, 200], [3_001, 300], [3_200, 365])).toEqual([100, 300, 365]));

  it('prints no line twice', () => expect(printed([2_000, 200])).toEqual([200]));

  it('prints nothing for few events', () => expect(printed([1, 1], [2, 99])).toEqual([]));

  it('prints a line for few events that take two seconds', () => expect(printed([1, 1], [2_000, 2])).toEqual([2]));
});
