import { pickSlice } from '../../../src/stores/mongodb/job-claims.js';

describe('The jobs that a process tries to claim', () => {
  const front = [1, 2, 3, 4, 5];

  it('are adjacent, at any offset near the front', () => {
    expect([0, 0.3, 0.6, 0.99].map((lot) => pickSlice(front, 2, lot))).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ]);
  });

  it('are all jobs when there are no more than wanted', () => {
    expect([pickSlice(front, 5, 0.99), pickSlice(front, 9, 0.5), pickSlice([], 3, 0.5)]).toEqual([front, front, []]);
  });
});
