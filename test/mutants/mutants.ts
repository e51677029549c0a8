// Applies small wrong changes (mutants) to a copy of the project, one at a time, and runs the specs of the changed
// code.
// `npm run test:mutants` applies all mutants; with arguments, only those whose name contains one of the arguments.
import { spawnSync, type StdioOptions } from 'node:child_process';
import { ALL } from './all.ts';
import type { Mutant } from './mutant.ts';
import { findMisplaced, ProjectCopy } from './project-copy.ts';

/** Minimum share of mutants that the specs must find. */
const MIN_FOUND_RATIO = 28 / 30;
const TIMEOUT_MS = 300_000;
/** The time limit of all specs together, without a mutant. */
const TOTAL_TIMEOUT_MS = 1_200_000;
const JEST = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--silent', '--bail'];

const wanted = process.argv.slice(2);
const mutants = ALL.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const misplacedMutants = findMisplaced(ALL);
if (misplacedMutants.length > 0)
  throw new Error(`These mutants can no longer be applied; change them:\n${misplacedMutants.join('\n')}`);

const copy = new ProjectCopy();
try {
  const all = [...new Set(mutants.flatMap(({ specs }) => specs))];
  if (!runSpecs(all, TOTAL_TIMEOUT_MS, 'inherit')) throw new Error('The specs fail without any mutant.');
  report(mutants.map((mutant) => isFound(mutant)));
} finally {
  copy.remove();
}

function isFound(mutant: Mutant): boolean {
  const found = copy.applyWhile(mutant, () => !runSpecs(mutant.specs));
  console.log(`${found ? 'found    ' : 'NOT FOUND'}  ${mutant.file}: ${mutant.name}`);
  return found;
}

function report(results: readonly boolean[]): void {
  const found = results.filter(Boolean).length;
  console.log(`${found} of ${results.length} found`);
  if (found < Math.floor(MIN_FOUND_RATIO * results.length)) process.exitCode = 1;
}

/** Returns whether the specs pass. A run that exceeds the time limit fails. */
function runSpecs(specs: readonly string[], timeout = TIMEOUT_MS, stdio: StdioOptions = 'ignore'): boolean {
  const files = specs.map((spec) => `test/${spec}`);
  const { status } = spawnSync(process.execPath, [...JEST, '--maxWorkers=1', '--runTestsByPath', ...files], {
    cwd: copy.path,
    stdio,
    timeout,
  });
  return status === 0;
}
