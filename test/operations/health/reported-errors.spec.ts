import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { BackgroundLog } from '../../support/background-log.js';

const MINUTE_MS = 60_000;
const work = { kind: 'job', name: 'mail', item: 'job-1' } as const;
const error = new TypeError('broken');

describe('The errors of background work', () => {
  const log = BackgroundLog.each();

  it('are logged at the first failure and when the work is parked, not at each retry', () => {
    for (let tries = 1; tries <= 5; tries++) log.errors.onFailure(work, error);
    log.errors.onParked(work, error);
    log.errors.onParked(work, error);

    expect(log.lines).toEqual([
      ['error', { ...work, err: error }],
      ['error', { ...work, err: error }],
    ]);
  });

  it('are logged again after a recovery', () => {
    log.errors.onFailure(work, error);
    log.errors.onRecovery(work);
    expect(log.errors.describe(() => true)).toBeNull();
    log.errors.onFailure(work, error);

    expect(log.lines).toHaveLength(2);
  });

  it('of many items write ten lines a minute, and the next line says how many it left out', async () => {
    for (let n = 1; n <= 100; n++) log.errors.onFailure({ ...work, item: `job-${n}` }, error);
    expect(log.lines).toHaveLength(10);
    await log.clock.advance(MINUTE_MS);
    log.errors.onFailure({ ...work, item: 'job-101' }, error);

    expect(log.lines.at(-1)).toEqual(['error', { ...work, item: 'job-101', suppressed: 90, err: error }]);
    expect(log.errors.describe(() => true)).toMatch(/^job mail \(job-97\) .*; 96 more$/);
  });

  it('of an unavailable store write one line a minute for all work', () => {
    for (let n = 1; n <= 100; n++) log.errors.onStoreUnavailable(new StoreUnavailable('disk is full', false));

    expect(log.lines).toEqual([['warn', { suppressed: 0 }]]);
  });

  it('count as ended when the work has not failed for a quarter of an hour', async () => {
    log.errors.onFailure(work, error);
    expect(log.errors.describe(({ length }) => length > 0)).toBe('job mail (job-1) failed: TypeError: broken');
    await log.clock.advance(16 * MINUTE_MS);

    expect(log.errors.describe(() => true)).toBeNull();
  });
});
