import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTempFolder, type Service, startService } from '../../support/service.js';
import { createProject, packClient, run } from './pack-client.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
/** Most of it is types, twice. */
const LARGEST_PACKAGE_BYTES = 200_000;
/** Without comments, compressed. A bundler makes less of it. */
const LARGEST_CODE_BYTES = 20_000;
const TIMEOUT_MS = 240_000;

/** Checks the declarations of the package too, without the types of Node. */
const OPTIONS = {
  strict: true,
  target: 'es2023',
  module: 'nodenext',
  lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'],
  types: [],
  skipLibCheck: false,
};

/** A program of a customer. The types reject its second call. */
const PROGRAM = `
import { createClient, isProblem, type types, verifyWebhook } from 'event-sourced-api-client';

const client = createClient({ baseUrl: process.argv[2]!, apiKey: process.argv[3]! });
const plan: types.PlanBody = { kind: 'one_time', amount_cents: 2500, currency: 'EUR' };
const product: Promise<types.Product> = client.commerce.products.create({ name: 'A course', plans: [plan] });
const { id } = await product;
for await (const { id: listed } of client.commerce.products.list({ per_page: 1 })) console.log(listed === id);
try {
  // @ts-expect-error -- a discount has no such field
  await client.commerce.discounts.create({ nonsense: true });
} catch (error) {
  if (isProblem(error, 'not_found', 'validation_failed')) console.log(error.code satisfies 'not_found' | 'validation_failed');
}
export const totalOf = async (request: Request, secret: string): Promise<number | null> => {
  const event = await verifyWebhook(await request.arrayBuffer(), request.headers, secret);
  return event.type === 'cart.order.completed' ? event.data.total_amount_cents : null;
};
`;

/** Programs of customers of all kinds, which must compile. */
const ESM =
  "import { createClient } from 'event-sourced-api-client';\nexport const { commerce } = createClient({ baseUrl: 'http://a', apiKey: 'k' });";
const CJS =
  "import client = require('event-sourced-api-client');\nexport const { commerce } = client.createClient({ baseUrl: 'http://a', apiKey: 'k' });";
const RESOLUTIONS: readonly (readonly [string, string, string, object])[] = [
  ['node16 that imports', 'program.mts', ESM, { module: 'node16', moduleResolution: 'node16' }],
  ['node16 that requires', 'program.cts', CJS, { module: 'node16', moduleResolution: 'node16' }],
  ['node16 that compiles import to require', 'program.cts', ESM, { module: 'node16', moduleResolution: 'node16' }],
  ['nodenext that requires', 'program.cts', CJS, {}],
  ['node10', 'program.ts', ESM, { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' }],
  ['a bundler', 'program.ts', ESM, { module: 'esnext', moduleResolution: 'bundler' }],
];

/** The names that the programs and the examples of the README leave undeclared. */
const GLOBALS = `
declare const process: { readonly argv: string[]; readonly env: Record<string, string | undefined> };
declare const client: import('event-sourced-api-client').Client;
declare const baseUrl: string, apiKey: string, secret: string, id: string, lastEventId: string;
declare function handle(input: unknown): Promise<Response>;
`;

/** Uses both builds at once, as a program does whose packages differ. */
const BOTH = `
const required = require('event-sourced-api-client');
console.log(require('event-sourced-api-client/package.json').version);
import('event-sourced-api-client').then(async (imported) => {
  const client = required.createClient({ baseUrl: process.argv[2], apiKey: process.argv[3] });
  const error = await client.commerce.orders.retrieve('ord_1').catch((failure) => failure);
  console.log(required === imported, required.isProblem(error, 'not_found'), imported.isProblem(error, 'not_found'));
});
`;

describe('The package of the TypeScript client', () => {
  let service: Service;
  let folder: string;
  let tarball: string;
  let project: string;
  beforeAll(async () => {
    service = await startService();
    folder = await createTempFolder();
    tarball = await packClient(folder);
    project = join(folder, 'project');
    await createProject(project, tarball);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Compiles programs. @throws with the errors of the compiler */
  async function compile(programs: Readonly<Record<string, string>>, options: object = {}): Promise<void> {
    const config = join(project, 'tsconfig.json');
    const files = [...Object.keys(programs), 'globals.d.ts'];
    await writeFile(config, JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }));
    await writeFile(join(project, 'globals.d.ts'), GLOBALS);
    for (const [name, program] of Object.entries(programs)) await writeFile(join(project, name), program);
    await run(process.execPath, [TSC, '--project', config]).catch(({ stdout }: { stdout: string }) =>
      Promise.reject(new Error(stdout)),
    );
  }

  it('is small, and contains both builds, a README and a license', async () => {
    const { stdout } = await run('tar', ['--list', '--file', tarball]);
    const files = stdout.trim().split('\n');

    expect(files).toEqual(
      expect.arrayContaining([
        'package/README.md',
        'package/LICENSE',
        'package/dist/index.js',
        'package/dist/index.d.ts',
        'package/dist/cjs/index.js',
        'package/dist/cjs/index.d.ts',
        'package/dist/cjs/package.json',
      ]),
    );
    const expected = /^package\/(dist\/.*\.(js|d\.ts)|(dist\/cjs\/)?package\.json|README\.md|LICENSE)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
    expect((await stat(tarball)).size).toBeLessThan(LARGEST_PACKAGE_BYTES);
  });

  it('has code of a few kilobytes', async () => {
    const dist = join(folder, 'client/dist');
    const names = (await readdir(dist, { recursive: true })).filter((name) => /^(?!cjs).*\.js$/.test(name));
    const sources = await Promise.all(names.map((name) => readFile(join(dist, name), 'utf8')));
    const code = sources.map((source) => source.replaceAll(/^ *(\/?\*|\/\/).*\n/gm, '')).join('');

    expect(gzipSync(code).length).toBeLessThan(LARGEST_CODE_BYTES);
  });

  it(
    'compiles and runs in a project that installs it, without other packages',
    async () => {
      await compile({ 'main.ts': PROGRAM });
      const key = await service.createKey(await service.createBusiness());
      const { stdout } = await run(process.execPath, ['main.js', service.url, key], { cwd: project });

      expect(stdout).toBe('true\nvalidation_failed\n');
      expect(await readdir(join(project, 'node_modules'))).toEqual(
        expect.arrayContaining(['event-sourced-api-client']),
      );
    },
    TIMEOUT_MS,
  );

  it.each(RESOLUTIONS)(
    'has types for %s',
    async (_, name, program, options) => compile({ [name]: program }, { noEmit: true, ...options }),
    TIMEOUT_MS,
  );

  it(
    'has a README whose examples compile',
    async () => {
      const readme = await readFile(join(folder, 'client/README.md'), 'utf8');
      const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(
        ([, code], index) => [`example-${index}.ts`, `${code}export {};\n`] as const,
      );

      expect(blocks.length).toBeGreaterThan(5);
      await compile(Object.fromEntries(blocks), { noEmit: true });
    },
    TIMEOUT_MS,
  );

  it('recognises the problems of its other build', async () => {
    await writeFile(join(project, 'both.cjs'), BOTH);
    const key = await service.createKey(await service.createBusiness());
    const { stdout } = await run(process.execPath, ['both.cjs', service.url, key], { cwd: project });

    expect(stdout).toBe('1.0.0\nfalse true true\n');
  });
});
