import { spawnSync } from 'node:child_process';
import { findMisplaced, ProjectCopy } from '../mutants/project-copy.js';
import { type Mutation, MUTATIONS } from './mutations/mutations.js';

const MINUTES = 60_000;
/** Another change of the service can move a finding to another seed. */
const MAX_SEEDS = 20;
const JEST = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--maxWorkers=1'];

it('Each mutation has its place in the code', () => {
  expect(findMisplaced(MUTATIONS.map((mutation) => ({ ...mutation, specs: [] })))).toEqual([]);
});

describe('The model finds the mutation', () => {
  let copy: ProjectCopy;
  beforeAll(() => {
    copy = new ProjectCopy();
  }, MINUTES);
  afterAll(() => copy.remove());

  it.each(MUTATIONS)(
    '$name',
    (mutation) => expect(copy.applyWhile({ ...mutation, specs: [] }, () => search(mutation))).not.toBeNull(),
    10 * MINUTES,
  );

  /** Returns the first life with a finding; null without one. */
  function search({ name, life: first }: Mutation): number | string | null {
    const lives = new Set([first, ...Array.from({ length: MAX_SEEDS }, (_, n) => n + 1)]);
    for (const life of lives) {
      const found = play(life);
      if (found === null) continue;
      if (process.env.LIVES_SEARCH !== undefined) console.log(`${life}: ${name}\n${found}`);
      return life;
    }
    return null;
  }

  /** Returns the line that reports the finding; null without one. */
  function play(life: number | string): string | null {
    const chosen = typeof life === 'number' ? { LIVES_SEED: String(life) } : { LIVES_SCRIPT: life };
    const { stdout, stderr } = spawnSync(process.execPath, [...JEST, '--runTestsByPath', 'test/lives/lives.spec.ts'], {
      cwd: copy.path,
      env: { ...process.env, ...chosen },
      encoding: 'utf8',
    });
    return /seed \d+, .*/.exec(stdout + stderr)?.[0] ?? null;
  }
});
