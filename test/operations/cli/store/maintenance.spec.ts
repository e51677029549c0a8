import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coinsAdded } from '../../../support/jar.js';
import { readWholeLog } from '../../../support/read-whole-log.js';
import { appendEvents, seedBusinesses } from '../../support/seed-businesses.js';
import { type TargetStore, TargetStores } from '../../support/target-stores.js';

let targets: TargetStores;
let home: TargetStore;
beforeEach(async () => {
  targets = await TargetStores.open();
  home = targets.embedded('first');
  await seedBusinesses(home.dataDir, 3);
});
afterEach(() => targets.close());

describe('The backup of a store', () => {
  it('restores the state at the time of the backup, readable only by its owner', async () => {
    const log = await home.open(({ events }) => readWholeLog(events));
    const { backup } = await home.ops.runForDocument(`store backup --out ${targets.file('monday')}`);
    await appendEvents(home.dataDir, 'jar-1', [coinsAdded('1', 'a')]);
    const other = targets.embedded('other');
    const { restored } = await other.ops.runForDocument(`store restore --from ${targets.file('monday')}`);

    expect(await other.open(({ events }) => readWholeLog(events))).toEqual(log);
    expect([backup.file, restored.file].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('overwrites no file', async () => {
    const backup = `store backup --out ${targets.file('monday')}`;
    await home.ops.runForDocument(backup);
    const [again, back] = [
      await home.ops.run(backup),
      await home.ops.run(`store restore --from ${targets.file('monday')}`),
    ];

    expect([again.exitCode, again.err]).toEqual([
      1,
      `${join(targets.file('monday'), 'store.sqlite')} exists already\n`,
    ]);
    expect([back.exitCode, back.err]).toEqual([
      1,
      `there is a store at ${join(home.dataDir, 'store.sqlite')} already\n`,
    ]);
  });

  it('is not restored from a file that is not a store', async () => {
    mkdirSync(targets.file('monday'));
    writeFileSync(join(targets.file('monday'), 'store.sqlite'), 'x'.repeat(9_000));
    const { exitCode, err } = await targets.embedded('other').ops.run(`store restore --from ${targets.file('monday')}`);

    expect([exitCode, err.trim().split('\n')]).toEqual([1, [expect.stringContaining('store.sqlite')]]);
  });

  it('is not restored under other keys', async () => {
    await home.ops.runForDocument('projections list');
    await home.ops.runForDocument(`store backup --out ${targets.file('monday')}`);
    const MASTER_KEY = Buffer.alloc(32, 'o').toString('base64');
    const { exitCode, err } = await targets
      .embedded('other')
      .ops.run(`store restore --from ${targets.file('monday')}`, { MASTER_KEY });

    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^MASTER_KEY does not match this store/)]);
  });
});

describe('store reseal', () => {
  it('lets a store run with only the new master key', async () => {
    await home.ops.runForDocument('projections list');
    const given = { MASTER_KEY: Buffer.alloc(32, 'n').toString('base64') };
    const withBoth = { ...given, MASTER_KEY_PREVIOUS: Buffer.alloc(32, 'k').toString('base64') };
    const refused = await home.ops.run('store reseal', given);
    const { exitCode, out, err } = await home.ops.run('store reseal --json', withBoth);

    expect([refused.exitCode, refused.err]).toEqual([1, expect.stringContaining('MASTER_KEY_PREVIOUS')]);
    expect([exitCode, JSON.parse(out), err]).toEqual([0, { reseal: { resealed: 1, unchanged: 0 } }, '']);
    expect((await home.ops.run('store doctor', given)).exitCode).toBe(0);
    expect((await home.ops.run('store doctor')).exitCode).toBe(1);
  });
});

describe('store doctor', () => {
  it('reports green for an intact store', async () => {
    const { doctor } = await home.ops.runForDocument('store doctor');

    expect(doctor.status).toBe('green');
    expect(doctor.parts).toMatchObject({
      log: { status: 'green', detail: '3 events in 1 streams, without a gap' },
      file: { status: 'green' },
    });
  });

  it('reports parked jobs', async () => {
    await home.open(async ({ jobs }) => {
      await jobs.restore([
        {
          key: 'sweep',
          queue: 'chores',
          due: '2026-02-01T09:00:00.000Z',
          data: {},
          attempt: 1,
          failures: 1,
          error: 'x',
          parked: true,
        },
      ]);
    });
    const { exitCode, out, err } = await home.ops.run('store doctor');

    expect([exitCode, err]).toEqual([1, 'red: jobs\n']);
    expect(out).toMatch(/^jobs +red +parked jobs: 1 \("jobs list --status parked"\)$/m);
  });
});
