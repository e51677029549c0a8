import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readConfig } from '../../../../src/config/config.js';
import { openEmbedded } from '../../../../src/stores/embedded/embedded.js';
import { currentProcessId } from '../../../../src/stores/process-id.js';
import { CommandLine } from '../../../support/command-line.js';
import { eventually } from '../../../support/eventually.js';
import { startServiceOn } from '../../../support/service.js';
import { seedBusinesses } from '../../support/seed-businesses.js';

const BUSINESSES = 600;
const MANY = 40_000;
/** Time limit of a test that runs several commands in sequence. */
const LONG_MS = 120_000;
const PROGRESS = /^businesses {2}\d+ % {2}[\d,]+ events/m;

let directory: string;
let ops: CommandLine;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ops-projections-'));
  // Creates the keys, as the service does before it creates the store.
  readConfig({ DATA_DIR: directory });
  await (await openEmbedded({ file: join(directory, 'store.sqlite') })).close();
  ops = new CommandLine(directory);
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('projections rebuild', () => {
  it(
    'creates a new build while a service reads the old one, switches to it, and can roll back',
    async () => {
      const service = await startServiceOn(directory);
      const key = await service.createKey(await service.createBusiness());
      await seedBusinesses(directory, BUSINESSES);
      const { rebuilt } = await ops.runForDocument('projections rebuild businesses');
      // The service follows the retired build too, but nothing waits for it.
      const { projection } = await eventually(
        () => ops.runForDocument('projections status businesses'),
        ({ projection: { builds } }) => builds[0].documents > BUSINESSES,
      );
      const { status, body } = await service.createApi(key).get('/v1/auth/me');
      const { active } = await ops.runForDocument('projections rollback businesses');
      await service.close();

      expect(rebuilt).toEqual([{ projection: 'businesses', build: 'businesses@1#2', active: true }]);
      expect(projection).toMatchObject({
        name: 'businesses@1',
        active: 'businesses@1#2',
        previous: 'businesses@1#1',
        builds: [
          { n: 1, status: 'retired', documents: BUSINESSES + 1 },
          { n: 2, status: 'active', documents: BUSINESSES + 1 },
        ],
      });
      expect([status, body.data.business.object, active]).toEqual([200, 'business', 'businesses@1#1']);
    },
    LONG_MS,
  );

  it(
    'rebuilds several projections without a service, and with --no-switch leaves a build ready',
    async () => {
      await seedBusinesses(directory, BUSINESSES);
      await ops.runForDocument('projections rebuild businesses posts');
      const { rebuilt } = await ops.runForDocument('projections rebuild businesses --no-switch');
      const before = await ops.runForDocument('projections status businesses');
      const { active } = await ops.runForDocument('projections switch businesses');

      expect(rebuilt).toEqual([{ projection: 'businesses', build: 'businesses@1#2', active: false }]);
      expect(before.projection).toMatchObject({
        active: 'businesses@1#1',
        builds: [{ status: 'active' }, { status: 'ready' }],
      });
      expect(active).toBe('businesses@1#2');
    },
    LONG_MS,
  );

  it(
    'continues with the same command after Ctrl-C and after a SIGKILL',
    async () => {
      await seedBusinesses(directory, MANY);
      const first = ops.start('projections rebuild businesses');
      await first.waitForOutput(PROGRESS);
      // npm and the terminal both forward the same signal.
      void first.interrupt();
      await setImmediate();
      const stopped = await first.interrupt();
      const second = ops.start('projections rebuild businesses');
      await second.waitForOutput(PROGRESS);
      await second.kill9();
      const { projection } = await ops.runForDocument('projections status businesses');
      const third = await ops.run('projections rebuild businesses');
      const { verification } = await ops.runForDocument('projections verify businesses');

      expect([stopped.exitCode, stopped.out, stopped.err]).toEqual([
        130,
        '',
        expect.stringMatching(/^businesses: stopped; run the same command again to continue from here$/m),
      ]);
      expect(projection.builds).toMatchObject([{ name: 'businesses@1#1', status: 'building' }]);
      expect(projection.builds[0].documents).toBeLessThan(MANY);
      expect([third.exitCode, third.out]).toEqual([0, 'businesses@1#1 is ready and used by reads\n']);
      expect(stopped.err + third.err).not.toContain('\u001b');
      expect(verification).toMatchObject({ documents: MANY, differences: [] });
    },
    LONG_MS,
  );

  it('is refused while another process rebuilds the same projection', async () => {
    const stores = await openEmbedded({ file: join(directory, 'store.sqlite') });
    await stores.leases.acquireLease('build:businesses@1#1', currentProcessId(), LONG_MS);
    const refused = await ops.run('projections rebuild businesses --json');
    await stores.close();

    expect(refused).toEqual({ exitCode: 1, out: '', err: 'another process works on businesses@1#1\n' });
  });

  it('names the existing projections when the projection is unknown', async () => {
    const { exitCode, out, err } = await ops.run('projections rebuild nothing --json');

    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/^there is no projection nothing; existing projections: apiKeys, .*, subscriptions\b.*\n$/);
  });
});

describe('The projections command', () => {
  it('lists one line per projection', async () => {
    await ops.runForDocument('projections rebuild businesses');
    const [heads, ...lines] = (await ops.run('projections list')).out.trimEnd().split('\n');

    expect(heads).toMatch(/^PROJECTION +READS USE +DOCUMENTS +STATE +OTHER BUILDS$/);
    expect(lines).toContainEqual(expect.stringMatching(/^businesses@1 +businesses@1#1 +0 +at the head +-$/));
    expect(lines).toContainEqual(expect.stringMatching(/^posts@\d+ +- +- +not built yet +-$/));
  });

  it(
    'drops a build that reads do not use',
    async () => {
      await ops.runForDocument('projections rebuild businesses');
      await ops.runForDocument('projections rebuild businesses');
      const { dropped } = await ops.runForDocument('projections drop businesses');
      const { exitCode, err } = await ops.run('projections drop businesses --build 2');

      expect(dropped).toEqual(['businesses@1#1']);
      expect([exitCode, err]).toEqual([1, expect.stringContaining('build #2 is active')]);
    },
    LONG_MS,
  );

  it(
    'keeps a paused projection at its position, and resumes it',
    async () => {
      const service = await startServiceOn(directory);
      await ops.runForDocument('projections pause businesses');
      const { business } = await ops.runForDocument('businesses create --name Acme --owner-sub ann');
      const paused = await toState('businesses');
      const { token } = await ops.runForDocument('tokens sign --sub ann');
      await ops.runForDocument('projections resume --all');
      while ((await toState('businesses')) !== 'at the head');
      const { body } = await service.createApi(token).get('/v1/businesses');
      await service.close();

      expect(paused).toBe('paused');
      expect(body.data).toEqual([business]);
    },
    LONG_MS,
  );
});

describe('projections verify and rebuild-key', () => {
  it(
    'finds a document that differs from the log, and repairs it',
    async () => {
      await seedBusinesses(directory, BUSINESSES);
      await ops.runForDocument('projections rebuild businesses');
      await corruptDocument('businesses@1#1', 'biz_7');
      const found = await ops.run('projections verify businesses');
      const { repaired } = await ops.runForDocument('projections rebuild-key businesses biz_7');
      const right = await ops.run('projections verify businesses --sample 100');

      expect(found).toEqual({
        exitCode: 1,
        out: 'DOCUMENT  DIFFERENCE\nbiz_7     differs\n',
        err: 'businesses@1#1: 1 of 600 documents differ from the log\n',
      });
      expect(repaired).toEqual(['businesses@1#1']);
      expect([right.exitCode, right.out]).toEqual([
        0,
        expect.stringMatching(/^businesses@1#1: \d+ documents match the log\n$/),
      ]);
    },
    LONG_MS,
  );
});

/** Returns the state that `projections list` prints. */
async function toState(name: string): Promise<string> {
  const { out } = await ops.run('projections list');
  return new RegExp(`^${name}@\\d+ +\\S+ +\\d+ +(\\S+( \\S+)*)`, 'm').exec(out)![1]!;
}

/** Changes a document as a fault in the code or a manual change of the file would. */
async function corruptDocument(build: string, id: string): Promise<void> {
  const stores = await openEmbedded({ file: join(directory, 'store.sqlite') });
  const [row] = await stores.models.load(build, [id]);
  await stores.models.compareAndSet(
    build,
    { ...row!, document: { ...row!.document, name: 'Another name' } },
    row!.position,
  );
  await stores.close();
}
