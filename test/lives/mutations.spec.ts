import { spawnSync } from 'node:child_process';
import { findMisplaced, ProjectCopy } from '../mutants/project-copy.js';
import { type Mutation, MUTATIONS } from './mutations/mutations.js';

const MINUTES = 60_000;
/** Another change of the service can move a finding to another seed. */
const MAX_SEEDS = 20;
const JEST = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--maxWorkers=1'];

const PLAYED = MUTATIONS.filter(({ seed }) => seed !== null);
for (const { name, seed } of MUTATIONS)
  if (seed === null) process.stderr.write(`Skipped: the mutation "${name}" (no seed up to 50 plays what it breaks)\n`);

it('Each mutation has its place in the code', () => {
  expect(findMisplaced(MUTATIONS.map((mutation) => ({ ...mutation, specs: [] })))).toEqual([]);
});

describe('The model finds the mutation', () => {
  let copy: ProjectCopy;
  beforeAll(() => {
    copy = new ProjectCopy();
  }, MINUTES);
  afterAll(() => copy.remove());

  it.each(PLAYED)(
    '$name',
    (mutation) => expect(copy.applyWhile({ ...mutation, specs: [] }, () => search(mutation))).not.toBeNull(),
    10 * MINUTES,
  );

  /** Returns the first seed with a finding; null without one. */
  function search({ name, seed: first }: Mutation): number | null {
    const seeds = new Set([first!, ...Array.from({ length: MAX_SEEDS }, (_, n) => n + 1)]);
    for (const seed of seeds) {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [...JEST, '--runTestsByPath', 'test/lives/lives.spec.ts'],
        {
          cwd: copy.path,
          env: { ...process.env, LIVES_SEED: String(seed) },
          encoding: 'utf8',
        },
      );
      const found = new RegExp(`seed ${seed}, .*`).exec(stdout + stderr);
      if (found === null) continue;
      if (process.env.LIVES_SEARCH !== undefined) console.log(`${seed}: ${name}\n${found[0]}`);
      return seed;
    }
    return null;
  }
});
