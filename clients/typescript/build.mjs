// Compiles the client twice, into ESM and CommonJS, each with its types: node build.mjs [FOLDER]
// FOLDER gets the folder dist. By default it is the folder of this file.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const dist = join(resolve(process.argv[2] ?? here), 'dist');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(dist, { recursive: true, force: true });
compile('tsconfig.json', dist);
compile('tsconfig.cjs.json', join(dist, 'cjs'));
// Node and TypeScript read here of which kind the modules beside it are.
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');

function compile(project, outDir) {
  const { status } = spawnSync(process.execPath, [tsc, '--project', join(here, project), '--outDir', outDir], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
