import { arm, crashPoint } from '../../src/kernel/crash-points.js';

describe('A crash point', () => {
  it('has no effect until it is armed, and then ends the process at the given pass', () => {
    let ends = 0;
    crashPoint('before-append');
    arm({ point: 'before-append', hit: 2 }, () => ends++);
    crashPoint('before-append');
    crashPoint('during-shutdown');
    expect(ends).toBe(0);
    crashPoint('before-append');
    expect(ends).toBe(1);
  });
});
