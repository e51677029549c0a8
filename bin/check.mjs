import { build } from './build.mjs';
import { installConsole } from './console.mjs';
import { test } from './jest.mjs';
import { own } from './runtime.mjs';

const parts = {
  types: () => checkTypes(['test/tsconfig.json', 'console/tsconfig.json']),
  format: () => own(['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']),
  lint: () => installConsole().then(() => own(['node_modules/eslint/bin/eslint.js', '.'])),
  tests: () => build().then(() => test()),
};

/** Runs every part, or the named parts. Continues after a failure, so that one run reports every failure. */
export async function check(names) {
  const failed = [];
  for (const name of names.length > 0 ? names : Object.keys(parts)) {
    if (!Object.hasOwn(parts, name))
      throw new Error(`Unknown check ${name}; available checks: ${Object.keys(parts).join(', ')}.`);
    console.log(`check: ${name}`);
    if ((await parts[name]().catch(said)) !== 0) failed.push(name);
  }
  console.log(failed.length === 0 ? 'check: passed' : `check: failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

/** Checks the types of each project, also after a failure. */
async function checkTypes(projects) {
  await installConsole();
  let failed = 0;
  for (const project of projects) {
    if ((await own(['node_modules/typescript/bin/tsc', '--noEmit', '--project', project])) !== 0) failed += 1;
  }
  return failed;
}

function said(error) {
  console.error(error.message);
  return 1;
}
