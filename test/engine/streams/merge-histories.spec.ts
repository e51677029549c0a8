import { mergeHistories } from '../../../src/engine/streams/merge-histories.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { createEvent } from '../../support/jar.js';

const recorded = (stream: string, revision: number, position: string): RecordedEvent => {
  return { ...createEvent(`${stream} ${revision}`, 'CoinsAdded', {}), stream, revision, position };
};

describe('The events of several streams', () => {
  it('are in the order of the log, and events of one append in the order of their stream', () => {
    const first = [recorded('jar-a', 0, '1'), recorded('jar-a', 1, '4'), recorded('jar-a', 2, '4')];
    const second = [recorded('jar-b', 0, '2'), recorded('jar-b', 1, '5')];

    expect(mergeHistories(first, second)).toEqual([first[0], second[0], first[1], first[2], second[1]]);
  });
});
