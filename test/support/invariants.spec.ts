import { findBrokenStreams, findChangedEvents } from './invariants/log.js';
import { findMisrecordedWrites, type Write } from './invariants/writes.js';
import { coinsAdded } from './jar.js';

function createRecorded(jar: string, label: string, revision: number, position: string) {
  return { ...coinsAdded(jar, label), stream: `jar-${jar}`, revision, position };
}

const first = createRecorded('a', 'first', 0, '01');
const second = createRecorded('a', 'second', 1, '02');

describe('The invariant check of the log', () => {
  it('finds a revision gap, a duplicate and a position that decreases', () => {
    expect(findBrokenStreams([first, second])).toEqual([]);
    expect(findBrokenStreams([first, { ...second, revision: 2 }])).toHaveLength(1);
    expect(findBrokenStreams([first, { ...second, id: first.id }])).toHaveLength(1);
    expect(findBrokenStreams([first, { ...second, position: '00' }])).toHaveLength(1);
  });

  it('finds an event that changed or is missing', () => {
    expect(findChangedEvents([first], [first, second])).toEqual([]);
    expect(findChangedEvents([first, second], [first])).toHaveLength(1);
    expect(findChangedEvents([first], [{ ...first, data: {} }])).toHaveLength(1);
  });

  it.each<[Write['outcome'], readonly [never: boolean, once: boolean, twice: boolean]]>([
    ['acknowledged', [false, true, false]],
    ['refused', [true, false, false]],
    ['unknown', [true, true, false]],
  ])('accepts only the right number of events in the log for a write with outcome %s', (outcome, rights) => {
    const write: Write = { type: 'CoinsAdded', field: 'jarId', text: 'a', outcome };

    expect([[], [first], [first, second]].map((log) => findMisrecordedWrites([write], log).length === 0)).toEqual(
      rights,
    );
  });
});
