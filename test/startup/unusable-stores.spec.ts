import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line.js';
import { ServiceProcess } from '../support/service-process.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stores-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('A data folder with keys of its own', () => {
  const storeOf = (name: string) => join(folder, name, 'store.sqlite');
  const create = async (name: string) => {
    const { exitCode } = await new CommandLine(join(folder, name)).run(
      'businesses create --name Acme --owner-sub ann --owner-email Ann@example.com',
    );
    expect(exitCode).toBe(0);
  };
  /** Starts a service on the folder; returns what it printed before it ended. A start that waits prints that, too. */
  const start = async (name: string) => {
    const service = new ServiceProcess(join(folder, name), {});
    await expect(service.ready).rejects.toThrow('(78)');
    return service.output;
  };

  it('and the store of another installation ends a start at once with 78 and one line', async () => {
    await Promise.all([create('own'), create('other')]);
    copyFileSync(storeOf('other'), storeOf('own'));
    expect(await start('own')).toMatch(/^(warning: .*\n)*MASTER_KEY does not match this store: [^\n]+\n$/);

    for (const key of ['master.key', 'pepper.key']) copyFileSync(join(folder, 'other', key), join(folder, 'own', key));
    const { out } = await new CommandLine(join(folder, 'own')).run('businesses list');
    expect(out).toContain('Acme');
  });

  it('and a file that is no store ends a start at once with 78 and one line', async () => {
    await create('own');
    writeFileSync(storeOf('own'), 'no store '.repeat(1_000));

    expect(await start('own')).toMatch(/^(warning: .*\n)*the store file is not a store[^\n]+\n$/);
  });
});
