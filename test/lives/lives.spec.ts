import { findScript, PLAYED_SCRIPTS } from './scripts.js';
import { SEEDS } from './seeds.js';
import { World } from './world/world.js';

const MS_PER_LIFE = 60_000;

const RANDOM = SEEDS.map((seed) => ({ name: `LIVES_SEED=${seed}`, seed, script: [] }));
/** Scripts choose nothing at random. */
const SCRIPTED = PLAYED_SCRIPTS.map((name) => ({ name: `LIVES_SCRIPT=${name}`, seed: 0, script: findScript(name) }));

describe('Two years of a small world', () => {
  it.each([...RANDOM, ...SCRIPTED])(
    'are what the model of the contract expects ($name)',
    async ({ seed, script }) => expect(await World.play(seed, script)).toEqual([]),
    MS_PER_LIFE,
  );
});
