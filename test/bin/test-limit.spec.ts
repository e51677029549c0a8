import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createTempFolder } from '../support/service.js';

const BIN = pathToFileURL(join(import.meta.dirname, '../../bin/')).href;
const LIMIT_MS = 50;

let folder: string;
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a program as `npm test` runs Jest. The limit is short: the programs of these tests never end. */
async function runLimited(program: string): Promise<{ readonly code: number; readonly printed: string }> {
  const [script, file] = [join(folder, 'program.mjs'), join(folder, 'progress')];
  await writeFile(script, program);
  const run = `
    import { own } from '${BIN}runtime.mjs';
    import { PROGRESS_FILE, watchProgress } from '${BIN}test-limit.mjs';
    const watch = (onHang) => watchProgress(${JSON.stringify(file)}, ${LIMIT_MS}, onHang);
    console.log('code', await own([${JSON.stringify(script)}], { env: { [PROGRESS_FILE]: ${JSON.stringify(file)} }, watch }));
  `;
  // The output ends with the last process that holds it.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', run]);
  return { code: Number(/code (\d+)/.exec(stdout)![1]), printed: stderr };
}

describe('A run of the tests', () => {
  it('fails and names the specs that never end', async () => {
    const { code, printed } = await runLimited(`
      ${record('start a', 'end a', 'start b')}
      for (;;);
    `);
    expect(code).toBe(1);
    expect(printed).toContain('These specs have not ended: test/b.spec.ts\n');
  });

  it('fails and names the last specs when one of them keeps Jest open', async () => {
    const { code, printed } = await runLimited(`
      ${record('start a', 'end a')}
      setInterval(() => {}, 1_000);
    `);
    expect(code).toBe(1);
    expect(printed).toContain('one of them keeps Jest open. The last ones: test/a.spec.ts\n');
  });

  it('ends the worker of a spec that never ends, too', async () => {
    const { printed } = await runLimited(`
      import { fork } from 'node:child_process';
      if (process.argv[2] !== 'worker') fork(process.argv[1], ['worker']);
      else {
        ${record('start a')}
        for (;;);
      }
    `);
    expect(printed).toContain('These specs have not ended: test/a.spec.ts\n');
  });
});

/** Returns code that records steps in one write, so that no time passes between them. */
function record(...steps: readonly string[]): string {
  const lines = steps.map((one) => {
    const [step, name] = one.split(' ');
    return `JSON.stringify({ step: '${step}', spec: 'test/${name}.spec.ts', pid: process.pid }) + '\\n'`;
  });
  return `(await import('node:fs')).appendFileSync(process.env.TEST_PROGRESS_FILE, ${lines.join(' + ')});`;
}
