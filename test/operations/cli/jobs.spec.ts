import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/config/config.js';
import { type EmbeddedStores, openEmbedded } from '../../../src/stores/embedded/embedded.js';
import { currentProcessId } from '../../../src/stores/process-id.js';
import { CommandLine } from '../../support/command-line.js';
import { startServiceOn } from '../../support/service.js';

const DUE = '2026-02-01T09:00:00.000Z';
const LATER = '2999-01-01T00:00:00.000Z';
const HOUR_MS = 3_600_000;

let directory: string;
let ops: CommandLine;
let stores: EmbeddedStores;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ops-jobs-'));
  // Creates the keys, as the service does before it creates the store.
  readConfig({ DATA_DIR: directory });
  ops = new CommandLine(directory);
  stores = await openEmbedded({ file: join(directory, 'store.sqlite') });
  await stores.jobs.enqueue([newJob('sweep'), newJob('dust'), { ...newJob('wash', LATER), queue: 'laundry' }]);
});
afterEach(async () => {
  await stores.close();
  rmSync(directory, { recursive: true });
});

describe('jobs list', () => {
  it('lists jobs by due time with their status and error', async () => {
    await parkFirstJob('a broom\n\u001b[31mbroke');
    const { jobs } = await ops.runForDocument('jobs list');

    const waiting = { status: 'waiting', holder: null, lease_until: null };
    expect(jobs).toMatchObject([
      {
        ...waiting,
        key: 'dust',
        status: 'parked',
        due: DUE,
        attempts: 1,
        failures: 1,
        error: 'a broom\n\u001b[31mbroke',
      },
      { ...waiting, key: 'sweep', queue: 'chores', due: DUE, data: { of: 'sweep' } },
      { ...waiting, key: 'wash', queue: 'laundry', due: LATER },
    ]);
  });

  it('lists only the jobs of a queue or of a status', async () => {
    await parkFirstJob('a broom broke');
    const keys = async (words: string) =>
      ((await ops.runForDocument(words)) as { jobs: { key: string }[] }).jobs.map(({ key }) => key);

    expect(await keys('jobs list --queue laundry')).toEqual(['wash']);
    expect(await keys('jobs list --queue chores --status parked')).toEqual(['dust']);
    expect(await keys('jobs list --status running')).toEqual([]);
  });

  it('prints one line per job even when an error has several lines', async () => {
    await parkFirstJob('a broom\n\u001b[31mbroke');
    const { out, err } = await ops.run('jobs list --limit 2');
    const lines = out.trimEnd().split('\n');

    expect(lines[0]).toMatch(/^KEY +QUEUE +STATUS +DUE +ATTEMPTS +FAILURES +ERROR$/);
    expect(lines[1]).toMatch(/^dust +chores +parked +2026-02-01T09:00:00\.000Z +1 +1 +a broom \[31mbroke$/);
    expect([lines.length, err]).toEqual([3, 'only the first 2 are shown; --limit shows more\n']);
    expect(out).not.toContain('\u001b');
  });

  it('names the existing queues when the queue has no matching job', async () => {
    expect(await ops.run('jobs list --queue nothing')).toEqual({
      exitCode: 0,
      out: '',
      err: 'no matching job in nothing; queues with jobs: chores, laundry\n',
    });
  });
});

describe('The jobs command', () => {
  it('shows all fields of one job', async () => {
    const { out } = await ops.run('jobs show wash');

    expect(out).toMatch(/^key +wash$[^]+^queue +laundry$[^]+"of": "wash"/m);
  });

  it('makes a parked job due while a service runs', async () => {
    await parkFirstJob('a broom broke');
    const service = await startServiceOn(directory);
    const { job: released } = await ops.runForDocument('jobs retry dust');
    await service.close();

    expect(released).toMatchObject({ key: 'dust', status: 'waiting', failures: 0, attempts: 1 });
    expect(Math.abs(Date.parse(released.due) - Date.now())).toBeLessThan(HOUR_MS);
  });

  it('cancels a job', async () => {
    expect(await ops.run('jobs cancel wash')).toMatchObject({ exitCode: 0, out: 'wash is cancelled\n' });
    expect(await stores.jobs.find('wash')).toBeNull();
  });

  it.each(['retry', 'cancel'])('refuses to change a running job: %s', async (word) => {
    const holder = currentProcessId();
    await stores.jobs.claim('chores', { limit: 2, leaseMs: HOUR_MS, holder });
    const { exitCode, err } = await ops.run(`jobs ${word} sweep`);

    expect([exitCode, err]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^sweep is running: ${holder} holds its lease until \\S+Z\n$`)),
    ]);
  });

  it.each(['show', 'retry', 'cancel'])('fails with one line that names the unknown job: %s', async (word) => {
    const { exitCode, out, err } = await ops.run(`jobs ${word} mop --json`);

    expect([exitCode, out, err]).toEqual([1, '', 'there is no job mop; "jobs list" shows the existing ones\n']);
  });
});

function newJob(key: string, due = DUE) {
  return { key, queue: 'chores', due, data: { of: key } };
}

/** Parks the first job of the queue `chores`. */
async function parkFirstJob(error: string): Promise<void> {
  const claimed = await stores.jobs.claim('chores', { limit: 2, leaseMs: HOUR_MS, holder: currentProcessId() });
  for (const one of claimed)
    await (one.key === 'dust' ? stores.jobs.park(one, error) : stores.jobs.reschedule(one, DUE, 'not now'));
}
