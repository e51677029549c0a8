import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createSnapshotFolder } from '../../../src/stores/embedded/snapshot-folder.js';
import { coinsAdded } from '../../support/jar.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { startServiceOn } from '../../support/service.js';
import { appendEvents, seedBusinesses } from '../support/seed-businesses.js';
import { type TargetStore, TargetStores } from '../support/target-stores.js';

const MANY = 30_000;

let targets: TargetStores;
let home: TargetStore;
beforeEach(async () => {
  targets = await TargetStores.open();
  home = targets.embedded('first');
});
afterEach(() => targets.close());

describe('store export', () => {
  it('writes a head, a line for each event, the other records, and an end with the counts', async () => {
    await seedBusinesses(home.dataDir, 3);
    const { export: written } = await home.ops.runForDocument(`store export --out ${targets.file('out')}`);
    const lines = targets.readLines('out').map((line) => JSON.parse(line));

    expect(lines[0]).toEqual({
      format: 'event-sourced-api store',
      version: 1,
      exported_at: expect.stringMatching(/Z$/),
    });
    const [first] = await home.open(({ events }) => readWholeLog(events));
    expect({ ...lines[1], position: first!.position }).toEqual(first);
    expect(lines.slice(4, -1).every(({ record }) => typeof record === 'string')).toBe(true);
    expect(lines.at(-1)).toEqual({ record: 'end', count: 3, lines: lines.length - 1, sha256: written.sha256 });
    expect(written).toMatchObject({ file: targets.file('out'), events: 3, counts: { key: 1, job: 0 } });
  });

  it('works while a service runs, and leaves its store unchanged', async () => {
    const service = await startServiceOn(home.dataDir, home.environment);
    const key = await service.createKey(await service.createBusiness());
    const api = service.createApi(key);
    await api.post('/v1/commerce/products', { name: 'A course' });
    await home.ops.runForDocument(`store export --out ${targets.file('out')}`);
    const other = targets.embedded('other');
    await other.ops.runForDocument(`store import --from ${targets.file('out')}`);
    const there = await startServiceOn(other.dataDir, other.environment);
    const here = await api.get('/v1/commerce/products');
    const moved = await there.createApi(key).get('/v1/commerce/products');
    await Promise.all([there.close(), service.close()]);

    expect(moved.body).toEqual(here.body);
    expect(readdirSync(home.dataDir).filter((name) => name.startsWith('export-'))).toEqual([]);
  });

  it('overwrites no file', async () => {
    await seedBusinesses(home.dataDir, 1);
    writeFileSync(targets.file('out'), 'dear');
    const { exitCode, err } = await home.ops.run(`store export --out ${targets.file('out')}`);

    expect([exitCode, err]).toEqual([1, `${targets.file('out')} exists already\n`]);
    expect(targets.readLines('out')).toEqual(['dear']);
  });

  it('leaves no file when Ctrl-C stops it', async () => {
    await seedBusinesses(home.dataDir, MANY);
    const watcher = watch(targets.folder);
    const started = once(watcher, 'change');
    const command = home.ops.start(`store export --out ${targets.file('out')}`);
    await started;
    const { exitCode, err } = await command.interrupt();
    watcher.close();

    expect([exitCode, err]).toEqual([
      130,
      expect.stringMatching(/^stopped; run the same command again to continue\n$/m),
    ]);
    expect(readdirSync(targets.folder).filter((name) => name.startsWith('out'))).toEqual([]);
  });

  it('leaves no file with the given name after a kill', async () => {
    await seedBusinesses(home.dataDir, 3);
    await home.ops.run(`store export --out ${targets.file('out')}`, { CRASH_AT: 'mid-export:2' });

    expect(existsSync(targets.file('out'))).toBe(false);
  });

  it('leaves its snapshot after a kill until the store is opened again, which keeps the snapshot of a running export', async () => {
    await seedBusinesses(home.dataDir, 3);
    const snapshots = () => readdirSync(home.dataDir).filter((name) => name.startsWith('export-'));
    await home.ops.run(`store export --out ${targets.file('out')}`, { CRASH_AT: 'mid-export:2' });
    expect(snapshots()).toHaveLength(1);
    const snapshotFolder = createSnapshotFolder(join(home.dataDir, 'store.sqlite'));
    await home.ops.runForDocument('businesses list');

    expect(snapshots()).toEqual([basename(snapshotFolder)]);
  });
});

describe('store import', () => {
  beforeEach(async () => {
    await seedBusinesses(home.dataDir, 3);
    await home.ops.runForDocument(`store export --out ${targets.file('out')}`);
  });

  it('imports nothing from a cut file', async () => {
    writeFileSync(targets.file('out'), readFileSync(targets.file('out')).subarray(0, -9));
    const other = targets.embedded('other');
    const { exitCode, err } = await other.ops.run(`store import --from ${targets.file('out')}`);

    expect([exitCode, err]).toEqual([1, `${targets.file('out')} is cut or was changed: nothing was imported\n`]);
    expect(existsSync(other.dataDir)).toBe(false);
  });

  it('imports nothing into a store that is not empty', async () => {
    const other = targets.embedded('other');
    await appendEvents(other.dataDir, 'jar-1', [coinsAdded('1', 'a')]);
    const { exitCode, err } = await other.ops.run(`store import --from ${targets.file('out')}`);

    expect([exitCode, err]).toEqual([1, 'The store is not empty. Use an empty store.\n']);
  });

  it('imports one of two files at the same time, and refuses the other in one line', async () => {
    const [second, target] = [targets.embedded('second'), targets.embedded('target')];
    await appendEvents(second.dataDir, 'jar-1', [coinsAdded('1', 'a')]);
    await second.ops.runForDocument(`store export --out ${targets.file('second.out')}`);
    const runs = await Promise.all(
      ['out', 'second.out'].map((file) => target.ops.run(`store import --from ${targets.file(file)}`)),
    );
    const refused = runs.find(({ exitCode }) => exitCode !== 0);

    expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
    expect(refused!.err).toMatch(
      /^(The store is not empty|The store holds a part of another import)\. Use an empty store\.\n$/,
    );
  });

  it('imports nothing under other keys', async () => {
    const MASTER_KEY = Buffer.alloc(32, 'o').toString('base64');
    const { exitCode, err } = await targets
      .embedded('other')
      .ops.run(`store import --from ${targets.file('out')}`, { MASTER_KEY });

    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^MASTER_KEY does not match this store/)]);
  });

  it('reports a missing file in one line', async () => {
    const { exitCode, err } = await home.ops.run(`store import --from ${targets.file('nothing')}`);

    expect([exitCode, err]).toEqual([1, `there is no file ${targets.file('nothing')}\n`]);
  });
});

describe('store copy', () => {
  it('copies to another folder, where a service continues', async () => {
    const service = await startServiceOn(home.dataDir, home.environment);
    const key = await service.createKey(await service.createBusiness());
    await service.close();
    const { copy } = await home.ops.runForDocument(
      `store copy --to-data-dir ${targets.embedded('other').dataDir} --verify`,
    );
    const again = await home.ops.runForDocument(`store copy --to-data-dir ${targets.embedded('other').dataDir}`);
    const other = await startServiceOn(targets.embedded('other').dataDir, home.environment);
    const { status } = await other.createApi(key).get('/v1/auth/me');
    await other.close();

    expect([copy.moved, again.copy.moved]).toEqual([true, false]);
    expect(copy.projections).toContainEqual({ build: expect.stringMatching(/^businesses@\d+#1$/), documents: 1 });
    expect(status).toBe(200);
  });

  it.each([
    ['', /^error: missing target: /],
    [' --to-event-store esdb://a:secret@b', /^error: missing target: /],
    [' --to-event-store nonsense:secret --to-mongodb mongodb://a', /^error: --to-event-store cannot be used: /],
    [' --to-event-store esdb://a:secret@b --to-mongodb nonsense', /^error: --to-mongodb cannot be used: /],
  ])('refuses a missing or invalid target: store copy%s', async (words, line) => {
    const { exitCode, err } = await home.ops.run(`store copy${words}`);

    expect([exitCode, err]).toEqual([2, expect.stringMatching(line)]);
    expect(err).not.toContain('secret');
  });

  it('reads addresses from variables, so that no argument contains a password', async () => {
    const { exitCode, err } = await home.ops.run('store copy', {
      COPY_TO_EVENT_STORE: 'nonsense:secret',
      COPY_TO_MONGODB: 'mongodb://a',
    });

    expect([exitCode, err]).toEqual([2, expect.stringMatching(/^error: --to-event-store cannot be used: /)]);
    expect(err).not.toContain('secret');
  });

  it('is refused while a service with the role api runs', async () => {
    const service = await startServiceOn(home.dataDir, home.environment);
    await service.close();
    const answering = await startServiceOn(home.dataDir, { ...home.environment, ROLE: 'api' });
    const { exitCode, err } = await home.ops.run(`store copy --to-data-dir ${targets.embedded('other').dataDir}`);
    await answering.close();

    expect([exitCode, err]).toEqual([
      1,
      expect.stringMatching(/^a service runs on this store, .*process:1\. Stop it first\.\n$/),
    ]);
  });

  it('refuses to copy a store into itself', async () => {
    await seedBusinesses(home.dataDir, 1);
    const { exitCode, err } = await home.ops.run(`store copy --to-data-dir ${home.dataDir}`);

    expect([exitCode, err]).toEqual([1, 'the target is the store itself\n']);
  });
});
