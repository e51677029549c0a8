import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../../../support/command-line.js';
import { createEvent } from '../../../support/jar.js';
import { type Service, startServiceOn } from '../../../support/service.js';
import { appendEvents } from '../../support/seed-businesses.js';

/** Time limit of a test that runs several commands in sequence. */
const LONG_MS = 120_000;

interface DeadLetterEntry {
  readonly id: string;
  readonly type: string;
  readonly error: string;
}

let directory: string;
let ops: CommandLine;
let service: Service;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ops-letters-'));
  ops = new CommandLine(directory);
  service = await startServiceOn(directory);
});
afterEach(async () => {
  await service.close();
  rmSync(directory, { recursive: true });
});

describe('The dead letter of a product that cannot be folded', () => {
  it(
    'is listed, stays after a failed retry, and is removed by a skip',
    async () => {
      await appendUnfoldableEvent();
      const [letter] = await listDeadLetters('--projection products');
      const shown = await ops.run(`dead-letters show ${letter!.id}`);
      const retried = await ops.run(`dead-letters retry ${letter!.id}`);
      const skipped = await ops.runForDocument(`dead-letters skip ${letter!.id} --reason nonsense`);
      const { events } = await ops.runForDocument('events search --type EventSkipped');

      expect(letter).toMatchObject({
        type: 'ProductCreated',
        projection: expect.stringMatching(/^products@\d+#1$/) as string,
        document: 'prod_bad',
      });
      expect(shown.out).toMatch(/^stream +product-prod_bad$/m);
      expect([retried.exitCode, retried.out, retried.err]).toEqual([
        1,
        '',
        `${letter!.id} failed again: ${letter!.error}\n`,
      ]);
      expect(skipped).toEqual({ dead_letter: null, status: 'skipped' });
      expect(events).toMatchObject([
        { data: { projection: 'products', document: 'prod_bad', reason: 'nonsense' }, actor: { id: 'operator' } },
      ]);
      expect(await listDeadLetters('')).toEqual([]);
      expect((await ops.runForDocument('projections verify products')).verification.differences).toEqual([]);
    },
    LONG_MS,
  );
});

describe('An unknown dead letter', () => {
  it.each(['show x', 'retry x', 'skip x --reason y'])(
    'fails with one line that names the missing id: %s',
    async (words) => {
      const { exitCode, err } = await ops.run(`dead-letters ${words}`);

      expect([exitCode, err]).toEqual([1, 'there is no dead letter x; "dead-letters list" shows the existing ones\n']);
    },
  );

  it('fails with one line that names the existing projections when the projection is unknown', async () => {
    const { exitCode, err } = await ops.run('dead-letters list --projection nothing');

    expect([exitCode, err]).toEqual([
      1,
      expect.stringMatching(/^there is no projection nothing; existing projections: apiKeys, /),
    ]);
  });
});

/** Resolves when the service has stored the dead letter. */
async function appendUnfoldableEvent(): Promise<void> {
  await appendEvents(directory, 'product-prod_bad', [createEvent('bad', 'ProductCreated', { productId: 'prod_bad' })]);
  while ((await listDeadLetters('')).length === 0);
}

async function listDeadLetters(words: string): Promise<DeadLetterEntry[]> {
  const { dead_letters } = await ops.runForDocument(`dead-letters list ${words}`.trim());
  return dead_letters as DeadLetterEntry[];
}
