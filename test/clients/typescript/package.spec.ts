import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTempFolder, type Service, startService } from '../../support/service.js';

const ROOT = join(import.meta.dirname, '../../..');
const CLIENT = join(ROOT, 'clients/typescript');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const LARGEST_PACKAGE_BYTES = 100_000;
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

const run = promisify(execFile);

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

describe('The package of the TypeScript client', () => {
  let service: Service;
  let folder: string;
  let tarball: string;
  beforeAll(async () => {
    service = await startService();
    folder = await createTempFolder();
    const copy = join(folder, 'client');
    await cp(CLIENT, copy, { recursive: true, filter: (path) => !path.endsWith('/dist') });
    await run(process.execPath, [TSC, '--project', copy]);
    await run('npm', ['pack', '--pack-destination', folder, '--silent'], { cwd: copy });
    tarball = join(
      folder,
      (await readdir(folder)).find((name) => name.endsWith('.tgz'))!,
    );
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is small, and contains the compiled client, a README and a license', async () => {
    const { stdout } = await run('tar', ['--list', '--file', tarball]);
    const files = stdout.trim().split('\n');

    expect(files).toEqual(
      expect.arrayContaining([
        'package/README.md',
        'package/LICENSE',
        'package/dist/index.js',
        'package/dist/index.d.ts',
      ]),
    );
    expect(
      files.filter((file) => !/^package\/(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(file)),
    ).toEqual([]);
    expect((await stat(tarball)).size).toBeLessThan(LARGEST_PACKAGE_BYTES);
  });

  it(
    'compiles and runs in a project that installs it, without other packages',
    async () => {
      const project = join(folder, 'project');
      await mkdir(project);
      await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }');
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));
      await writeFile(join(project, 'main.ts'), PROGRAM);
      await writeFile(join(project, 'node.d.ts'), 'declare const process: { readonly argv: string[] };');
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project });
      await run(process.execPath, [TSC], { cwd: project }).catch(({ stdout }: { stdout: string }) =>
        Promise.reject(new Error(stdout)),
      );
      const key = await service.createKey(await service.createBusiness());
      const { stdout } = await run(process.execPath, ['main.js', service.url, key], { cwd: project });

      expect(stdout).toBe('true\nvalidation_failed\n');
      expect(await readdir(join(project, 'node_modules'))).toEqual(
        expect.arrayContaining(['event-sourced-api-client']),
      );
    },
    TIMEOUT_MS,
  );
});
