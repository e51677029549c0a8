import { projectionSkipsDecider } from '../../../src/engine/projections/skips.js';
import { estimateCharacters } from '../../../src/engine/streams/weight.js';

describe('The estimated size of a state', () => {
  it('counts all its parts', () => {
    const state = { name: 'abc', counts: new Map([['x', 1]]), tags: new Set(['yz']), none: null, list: [true] };
    const [containers, texts, others] = [4 * 16, 'abc'.length + 'x'.length + 'yz'.length, 3 * 8];

    expect(estimateCharacters(state)).toBe(containers + texts + others);
  });

  it('is found for a projection with many skipped events', () => {
    const data = { projection: 'products', document: 'prod_1', reason: 'Broken.' };
    let state = projectionSkipsDecider.initial;
    for (let n = 0; n < 50_000; n++)
      state = projectionSkipsDecider.evolve(state, { type: 'EventSkipped', data: { ...data, eventId: `evt_${n}` } });

    expect(estimateCharacters(state)).toBeGreaterThan(50_000 * 16);
  });
});
