import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The service that a program calls. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
  readonly closedUrl: string;
}

export interface Runtime {
  readonly name: string;
  /** Why it cannot run here, or null. */
  readonly missing: string | null;
  /** The fault that the client names for a refused connection. */
  readonly fault: 'refused' | 'network';
  /** Runs useClient in a folder in which the client is installed. */
  readonly run: (folder: string, target: Target) => Promise<unknown>;
}

const PROGRAMS = {
  'main.mjs': `import * as client from 'event-sourced-api-client';
import { useClient } from './use-client.mjs';
console.log(JSON.stringify(await useClient(client, JSON.parse(process.argv[2]))));
`,
  'main.cjs': `const client = require('event-sourced-api-client');
import('./use-client.mjs')
  .then(({ useClient }) => useClient(client, JSON.parse(process.argv[2])))
  .then((result) => console.log(JSON.stringify(result)));
`,
  'worker.mjs': `import * as client from './node_modules/event-sourced-api-client/dist/index.js';
import { useClient } from './use-client.mjs';
export default { fetch: async (request) => Response.json(await useClient(client, await request.json())) };
`,
};
const TIMEOUT_MS = 60_000;
/** A folder into which other versions of Node, deno, bun and miniflare were installed. */
const INSTALLED = process.env.CLIENT_RUNTIMES ?? '';
const NO_OTHER_NODE = 'the path has no other Node';
const NOT_INSTALLED = 'CLIENT_RUNTIMES names no folder with it; .ci/clients installs it';

export async function writePrograms(folder: string): Promise<void> {
  await copyFile(join(import.meta.dirname, 'use-client.mjs'), join(folder, 'use-client.mjs'));
  for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(folder, name), text);
}

export const RUNTIMES: readonly Runtime[] = [
  ...createNodes(`Node ${process.version}`, process.execPath),
  ...createNodes('the installed Node', findInstalledNode()),
  ...createPackagedNodes('Node 20.3, the oldest', 'node20'),
  ...createPackagedNodes('Node 26', 'node26'),
  {
    name: 'Deno',
    missing: findMissing('.bin/deno'),
    fault: 'refused',
    run: runProgram(inInstalled('.bin/deno'), 'run', '-A', 'main.mjs'),
  },
  {
    name: 'Bun',
    missing: findMissing('.bin/bun'),
    fault: 'refused',
    run: runProgram(inInstalled('.bin/bun'), 'main.mjs'),
  },
  { name: 'workerd', fault: 'network', missing: findMissing('miniflare/package.json'), run: runInWorkerd },
];

/** Runs the client in a Node that npm installed as a package of this name. */
function createPackagedNodes(name: string, folder: string): Runtime[] {
  const path = `${folder}/bin/node`;
  const missing = findMissing(path);
  return createNodes(name, missing === null ? inInstalled(path) : undefined, missing);
}

/** Imports and requires the client. */
function createNodes(name: string, program: string | undefined, reason: string | null = NO_OTHER_NODE): Runtime[] {
  const version = program === undefined ? '' : ` ${spawnSync(program, ['--version']).stdout.toString().trim()}`;
  const missing = program === undefined ? reason : null;
  return (['import', 'require'] as const).map((how) => ({
    name: `${name}${program === process.execPath ? '' : version}, with ${how}`,
    missing,
    fault: 'refused',
    run: runProgram(program ?? '', how === 'import' ? 'main.mjs' : 'main.cjs'),
  }));
}

/** Finds the Node of the machine: npm puts that of the project in front of it. */
function findInstalledNode(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((file) => existsSync(file));
}

function inInstalled(path: string): string {
  return join(INSTALLED, 'node_modules', path);
}

function findMissing(path: string): string | null {
  return INSTALLED !== '' && existsSync(inInstalled(path)) ? null : NOT_INSTALLED;
}

function runProgram(program: string, ...args: readonly string[]) {
  return async (folder: string, target: Target): Promise<unknown> => {
    const options = { cwd: folder, timeout: TIMEOUT_MS };
    const { stdout } = await promisify(execFile)(program, [...args, JSON.stringify(target)], options);
    return JSON.parse(stdout) as unknown;
  };
}

interface Miniflare {
  dispatchFetch(url: string, init: { readonly method: string; readonly body: string }): Promise<Response>;
  dispose(): Promise<void>;
}

async function runInWorkerd(folder: string, target: Target): Promise<unknown> {
  const { Miniflare } = createRequire(inInstalled('miniflare/package.json'))('miniflare') as {
    readonly Miniflare: new (options: object) => Miniflare;
  };
  const modulesRules = [{ type: 'ESModule', include: ['**/*.js', '**/*.mjs'] }];
  const options = { modules: true, modulesRoot: folder, modulesRules, scriptPath: join(folder, 'worker.mjs') };
  const worker = new Miniflare({ ...options, compatibilityDate: '2026-01-01' });
  try {
    const response = await worker.dispatchFetch('http://worker.example/', {
      method: 'POST',
      body: JSON.stringify(target),
    });
    return await response.json();
  } finally {
    await worker.dispose();
  }
}
