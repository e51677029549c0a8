import { armCrashPoint, passCrashPoint } from '../../src/kernel/crash-points.js';

describe('A crash point', () => {
  it('has no effect until it is armed, and then ends the process at the given pass', () => {
    let ends = 0;
    passCrashPoint('before-append');
    armCrashPoint({ point: 'before-append', hit: 2 }, () => ends++);
    passCrashPoint('before-append');
    passCrashPoint('during-shutdown');
    expect(ends).toBe(0);
    passCrashPoint('before-append');
    expect(ends).toBe(1);
  });
});
