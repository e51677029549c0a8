import { SEEDS } from './seeds.js';
import { World } from './world/world.js';

const MS_PER_SEED = 60_000;

describe('Two years of a small world', () => {
  it.each(SEEDS)(
    'are what the model of the contract expects (LIVES_SEED=%i)',
    async (seed) => expect(await World.play(seed)).toEqual([]),
    MS_PER_SEED,
  );
});
