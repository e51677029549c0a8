import { coinsAdded } from './jar.js';
import { brokenStreams, changedEvents } from './invariants/log.js';
import { misrecordedWrites, type Write } from './invariants/writes.js';

function recorded(jar: string, label: string, revision: number, position: string) {
  return { ...coinsAdded(jar, label), stream: `jar-${jar}`, revision, position };
}

const first = recorded('a', 'first', 0, '01');
const second = recorded('a', 'second', 1, '02');

describe('The invariant check of the log', () => {
  it('finds a revision gap, a duplicate and a position that decreases', () => {
    expect(brokenStreams([first, second])).toEqual([]);
    expect(brokenStreams([first, { ...second, revision: 2 }])).toHaveLength(1);
    expect(brokenStreams([first, { ...second, id: first.id }])).toHaveLength(1);
    expect(brokenStreams([first, { ...second, position: '00' }])).toHaveLength(1);
  });

  it('finds an event that changed or is missing', () => {
    expect(changedEvents([first], [first, second])).toEqual([]);
    expect(changedEvents([first, second], [first])).toHaveLength(1);
    expect(changedEvents([first], [{ ...first, data: {} }])).toHaveLength(1);
  });

  it.each<[Write['outcome'], readonly [never: boolean, once: boolean, twice: boolean]]>([
    ['acknowledged', [false, true, false]],
    ['refused', [true, false, false]],
    ['unknown', [true, true, false]],
  ])('accepts only the right number of events in the log for a write with outcome %s', (outcome, rights) => {
    const write: Write = { type: 'CoinsAdded', field: 'jarId', text: 'a', outcome };

    expect([[], [first], [first, second]].map((log) => misrecordedWrites([write], log).length === 0)).toEqual(rights);
  });
});
