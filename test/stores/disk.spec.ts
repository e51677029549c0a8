import { readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedStores } from '../../src/stores/embedded/embedded.js';
import { collect, createEvent, createEvents } from '../contracts/events.js';
import { Appender } from './support/appenders.js';
import { Folder } from './support/folder.js';

const MEBIBYTE = 1 << 20;

describe('The file of the embedded store', () => {
  const folder = Folder.each();

  it('can be read only by its owner', async () => {
    await folder.open({ file: `${folder.path}/new/store.sqlite` });

    expect(statSync(`${folder.path}/new`).mode & 0o777).toBe(0o700);
    expect(statSync(`${folder.path}/new/store.sqlite`).mode & 0o777).toBe(0o600);
  });

  it('has a short write-ahead log during writes', async () => {
    const { models } = await folder.open();
    await models.ensureCollection('blobs@1', { indexes: [] });
    let longest = 0;
    for (let i = 0; i < 80; i++) {
      await models.upsert('blobs@1', [{ id: `${i}`, position: '1', document: { text: 'x'.repeat(MEBIBYTE) } }]);
      longest = Math.max(longest, statSync(`${folder.file}-wal`).size);
    }

    expect(longest).toBeLessThan(24 * MEBIBYTE);
  });

  it('soon contains no trace of a destroyed value', async () => {
    const { vault } = await folder.open();
    const secret = Buffer.from('encrypted-and-then-destroyed');
    const files = [folder.file, `${folder.file}-wal`];
    const isThere = () => files.some((file) => readFileSync(file).includes(secret));
    await vault.putIfAbsent('subject_1', secret);
    expect(isThere()).toBe(true);
    await vault.destroy('subject_1');

    await waitUntil(() => !isThere());
  });

  it('refuses writes on a full disk, keeps its data, and accepts writes when there is space again', async () => {
    const { events: log, models } = await folder.open({ maxPages: 200 });
    await models.ensureCollection('ballast@1', { indexes: [] });
    await models.upsert('ballast@1', [{ id: 'a', position: '1', document: { text: 'x'.repeat(MEBIBYTE / 4) } }]);
    await log.append('jar-1', 'none', createEvents(1));

    const large = createEvent({ text: 'x'.repeat(MEBIBYTE) });
    await expect(log.append('jar-2', 'none', [large])).rejects.toMatchObject({
      name: 'StoreUnavailable',
      maybeWritten: false,
    });
    expect(await readLength(log, 'jar-1')).toBe(1);
    expect(await readLength(log, 'jar-2')).toBe(0);

    await models.dropCollection('ballast@1');
    await log.append('jar-2', 'none', [createEvent({ text: 'x'.repeat(MEBIBYTE / 8) })]);
    expect(await readLength(log, 'jar-2')).toBe(1);
  });

  it('refuses all writes after a failure, and keeps every acknowledged one', async () => {
    const appender = new Appender(folder.file, 'jar', 5_000, 2_000);
    await appender.end();
    const { events: log } = await folder.open();

    expect(appender.lines).toContainEqual(expect.stringMatching(/^fatal disk I\/O error/));
    expect(appender.lines.filter((line) => line.startsWith('refused'))).toHaveLength(4);
    expect(appender.acknowledged.length).toBeGreaterThan(0);
    for (const { stream, revision, id } of appender.acknowledged) {
      expect((await collect(log.readStream(stream, { from: revision, limit: 1 })))[0]).toMatchObject({ id, revision });
    }
  });
});

async function readLength(log: EmbeddedStores['events'], stream: string): Promise<number> {
  return (await collect(log.readStream(stream))).length;
}

/** Polls until the condition holds; the time limit of the test ends a poll that never succeeds. */
async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5);
}
