import { Logger } from '@nestjs/common';
import { Registry } from '../../../src/engine/registry.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { BackgroundErrors } from '../../../src/operations/health/background-errors.js';
import { Metrics } from '../../../src/operations/metrics/metrics.js';
import { ManualClock } from '../../support/clock.js';

const MINUTE_MS = 60_000;
const work = { kind: 'job', name: 'mail', item: 'job-1' } as const;
const error = new TypeError('broken');

describe('The errors of background work', () => {
  let clock: ManualClock;
  let errors: BackgroundErrors;
  let lines: [string, object | string][];
  beforeEach(() => {
    clock = new ManualClock();
    lines = [];
    const record = (level: string) => (line: object) => lines.push([level, line]);
    Logger.overrideLogger({ error: record('error'), warn: record('warn'), log: record('log'), fatal: record('fatal') });
    errors = new BackgroundErrors(new Metrics(), new Registry(), clock);
  });
  afterEach(() => {
    errors.onApplicationShutdown();
    Logger.overrideLogger(false);
  });

  it('are logged at the first failure and when the work is parked, not at each retry', () => {
    for (let tries = 1; tries <= 5; tries++) errors.onFailure(work, error);
    errors.onParked(work, error);
    errors.onParked(work, error);

    expect(lines).toEqual([
      ['error', { ...work, err: error }],
      ['error', { ...work, err: error }],
    ]);
  });

  it('are logged again after a recovery', () => {
    errors.onFailure(work, error);
    errors.onRecovery(work);
    expect(errors.describe(() => true)).toBeNull();
    errors.onFailure(work, error);

    expect(lines).toHaveLength(2);
  });

  it('of many items write ten lines a minute, and the next line says how many it left out', async () => {
    for (let n = 1; n <= 100; n++) errors.onFailure({ ...work, item: `job-${n}` }, error);
    expect(lines).toHaveLength(10);
    await clock.advance(MINUTE_MS);
    errors.onFailure({ ...work, item: 'job-101' }, error);

    expect(lines.at(-1)).toEqual(['error', { ...work, item: 'job-101', suppressed: 90, err: error }]);
    expect(errors.describe(() => true)).toMatch(/^job mail \(job-97\) .*; 96 more$/);
  });

  it('of an unavailable store write one line a minute for all work', () => {
    for (let n = 1; n <= 100; n++) errors.onStoreUnavailable(new StoreUnavailable('disk is full', false));

    expect(lines).toEqual([['warn', { suppressed: 0 }]]);
  });

  it('count as ended when the work has not failed for a quarter of an hour', async () => {
    errors.onFailure(work, error);
    expect(errors.describe(({ length }) => length > 0)).toBe('job mail (job-1) failed: TypeError: broken');
    await clock.advance(16 * MINUTE_MS);

    expect(errors.describe(() => true)).toBeNull();
  });
});
