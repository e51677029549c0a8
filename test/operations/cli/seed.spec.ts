import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, toIso } from '../../../src/kernel/clock.js';
import { openEmbedded } from '../../../src/stores/embedded/embedded.js';
import { CommandLine } from '../../support/command-line.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { startServiceOn } from '../../support/service.js';

const DAYS = Number(process.env.DEMO_DAYS ?? 8);
const COMMAND = `seed --demo --days ${DAYS} --last-day 2026-01-20`;
const KEYS = {
  MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  KEY_PEPPER: Buffer.alloc(32, 2).toString('base64'),
  LOG_LEVEL: 'silent',
};
const TIMEOUT_MS = 120_000 + DAYS * 3_000;

interface Seeded {
  readonly business: { readonly id: string };
  readonly community: { readonly id: string };
  readonly recorded_events: number;
  readonly orders: number;
  readonly posts: number;
  readonly members: number;
}

/** A data folder with a demo. */
class DemoFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'ops-seed-'));
  readonly ops = new CommandLine(this.path, KEYS, TIMEOUT_MS);

  async seed(): Promise<Seeded> {
    return ((await this.ops.runForDocument(COMMAND)) as { seeded: Seeded }).seeded;
  }

  /** Returns the events by stream, without what is encrypted or random. */
  async readEvents(): Promise<readonly string[]> {
    const stores = await openEmbedded({ file: join(this.path, 'store.sqlite') });
    const events = await readWholeLog(stores.events);
    await stores.close();
    return events.map(({ stream, revision, type, meta }) => `${stream} ${revision} ${type} ${meta.at}`).sort();
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

describe(`The demo of ${DAYS} days`, () => {
  let demo: DemoFolder;
  let seeded: Seeded;
  beforeAll(async () => {
    demo = new DemoFolder();
    seeded = await demo.seed();
  }, TIMEOUT_MS);
  afterAll(() => demo.remove());

  it('has a shop and a community with a history', async () => {
    const { stats } = await demo.ops.runForDocument('events stats');

    expect(stats.events).toBe(seeded.recorded_events);
    expect(stats.first_recorded_at).toBe(toIso(Date.parse('2026-01-20T08:00:00.000Z') - (DAYS - 1) * DAY_MS));
    expect(seeded).toMatchObject({ orders: DAYS, products: 4 });
    expect(seeded.posts).toBeGreaterThanOrEqual(DAYS);
  });

  it(
    'is the same for the same seed and the same keys',
    async () => {
      const other = new DemoFolder();

      expect(await other.seed()).toEqual(seeded);
      expect(await other.readEvents()).toEqual(await demo.readEvents());
      other.remove();
    },
    TIMEOUT_MS,
  );

  it('refuses to continue with other options, and does nothing after its end', async () => {
    const before = await demo.readEvents();
    const refused = await demo.ops.run(`${COMMAND} --seed 2`);
    await demo.seed();

    expect(refused).toMatchObject({
      exitCode: 1,
      err: `the store has a demo of --seed 1 --days ${DAYS}: repeat these options, or set DATA_DIR to a new folder\n`,
    });
    expect(await demo.readEvents()).toEqual(before);
  });

  it(
    'continues after Ctrl-C with the same command',
    async () => {
      const interrupted = new DemoFolder();
      const command = interrupted.ops.start(COMMAND);
      await command.waitForOutput(/^days {2}/m);
      const { exitCode, err } = await command.interrupt();
      await interrupted.seed();

      expect([exitCode, err]).toEqual([130, expect.stringMatching(/stopped; run the same command again to continue/)]);
      expect(await interrupted.readEvents()).toEqual(await demo.readEvents());
      interrupted.remove();
    },
    TIMEOUT_MS,
  );

  it(
    'is served by the service, and its read models can be rebuilt and verified',
    async () => {
      const { rebuilt } = await demo.ops.runForDocument('projections rebuild orders posts subscriptions');
      const verified = await Promise.all(
        ['orders', 'posts', 'subscriptions', 'members'].map((name) =>
          demo.ops.runForDocument(`projections verify ${name}`),
        ),
      );
      const { secret } = await demo.ops.runForDocument(
        `keys create --business ${seeded.business.id} --mode test --access full`,
      );
      const service = await startServiceOn(demo.path, KEYS);
      const { status, body } = await service.createApi(secret).get('/v1/commerce/payments');
      await service.close();

      expect(rebuilt.map(({ active }: { active: boolean }) => active)).toEqual([true, true, true]);
      expect(verified.flatMap(({ verification }) => verification.differences)).toEqual([]);
      expect(status).toBe(200);
      expect(body.pagination.total_count).toBeGreaterThanOrEqual(DAYS);
    },
    TIMEOUT_MS,
  );
});

describe('seed', () => {
  it(
    'runs once at a time',
    async () => {
      const folder = new DemoFolder();
      const long = `${COMMAND} --days 200`;
      const first = folder.ops.startOwnProcess(long);
      await first.waitForOutput(/^days {2}/m);
      const second = await folder.ops.run(long);
      const { exitCode } = await first.interrupt();

      expect(second).toEqual({
        exitCode: 1,
        out: '',
        err: 'another process works on this store: stop it, or wait for its end\n',
      });
      expect([exitCode, (await folder.ops.run('audit verify')).exitCode]).toEqual([130, 0]);
      folder.remove();
    },
    TIMEOUT_MS,
  );

  it('does not run beside a service', async () => {
    const folder = new DemoFolder();
    const service = await startServiceOn(folder.path, KEYS);
    const refused = await folder.ops.run(COMMAND);
    await service.close();

    expect([refused.exitCode, refused.err]).toEqual([
      1,
      'another process works on this store: stop it, or wait for its end\n',
    ]);
    folder.remove();
  });

  it('refuses a store with other events', async () => {
    const folder = new DemoFolder();
    await folder.ops.runForDocument('businesses create --name Acme --owner-sub ann');

    expect(await folder.ops.run(COMMAND)).toEqual({
      exitCode: 1,
      out: '',
      err: 'the store has other events: set DATA_DIR to a new folder\n',
    });
    folder.remove();
  });
});
