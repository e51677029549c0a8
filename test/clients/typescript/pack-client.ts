import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CLIENT = join(import.meta.dirname, '../../../clients/typescript');

export const run = promisify(execFile);

/** Compiles the client in a folder, without a change to its sources, and returns the path of the package. */
export async function packClient(folder: string): Promise<string> {
  const copy = join(folder, 'client');
  await mkdir(copy);
  for (const name of ['package.json', 'README.md', 'LICENSE']) await copyFile(join(CLIENT, name), join(copy, name));
  await run(process.execPath, [join(CLIENT, 'build.mjs'), copy]);
  const { stdout } = await run('npm', ['pack', '--pack-destination', folder, '--json'], { cwd: copy });
  return join(folder, (JSON.parse(stdout) as [{ readonly filename: string }])[0].filename);
}

/** Makes a project that has installed the package, and nothing else. */
export async function createProject(folder: string, tarball: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
}
