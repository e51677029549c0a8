import fc from 'fast-check';
import { calculateLevel, DEFAULT_LEVELS } from '../../src/community/domain/levels.js';
import type { PointsEvent } from '../../src/community/domain/points.js';
import type { PointsReversalEvent } from '../../src/community/domain/points-reversal.js';
import type { PointsSourceEvent } from '../../src/community/domain/points-source.js';
import { scaleRuns, seeds } from '../contracts/seed.js';
import { type PointsCrash, PointsFixture, type PointsStep } from './points-fixture.js';

const points = fc.constantFrom(1, 4, 50, 1_000_000);
const step: fc.Arbitrary<PointsStep> = fc.oneof(
  fc.record({ do: fc.constant('award' as const), points, source: fc.option(fc.nat(3)) }),
  fc.record({ do: fc.constant('reverse' as const), entry: fc.nat(5) }),
  fc.record({ do: fc.constant('change level' as const), level: fc.integer({ min: 1, max: 9 }) }),
);
const crash: fc.Arbitrary<PointsCrash | null> = fc.option(fc.record({ append: fc.nat(5), recorded: fc.boolean() }));
const history = fc.array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), crash), { maxLength: 10 });

describe('Points', () => {
  it.each(seeds)(
    'are conserved in every history of awards, reversals and level changes, with crashes (seed %i)',
    async (seed) => {
      await fc.assert(
        fc.asyncProperty(history, async (rounds) => {
          const fixture = new PointsFixture();
          await fixture.start();
          for (const [steps, crashed] of rounds) await fixture.run(steps, crashed);
          await fixture.recover();

          expect(findErrors(fixture)).toEqual([]);
        }),
        { seed, numRuns: scaleRuns(40) },
      );
    },
  );
});

/** Returns every rule that the log breaks. */
function findErrors(fixture: PointsFixture): string[] {
  const entries = fixture.list<PointsEvent>('PointsAwarded', 'PointsReversed');
  const awards = entries.filter(({ type }) => type === 'PointsAwarded');
  const reversals = fixture.list<Extract<PointsEvent, { type: 'PointsReversed' }>>('PointsReversed');
  const sources = fixture.list<PointsSourceEvent>('PointsReserved');
  const requests = fixture.list<PointsReversalEvent>('PointsReversalRequested');

  const errors = checkBalances(entries);
  const sourced = awards
    .filter(({ data }) => 'sourceId' in data && data.sourceId !== null)
    .map(({ data }) => data.awardId);
  const reversed = reversals.map(({ data }) => data.awardId);
  if (
    !areEqualSets(
      sourced,
      sources.map(({ data }) => data.awardId),
    )
  )
    errors.push('a source is not paid once');
  if (
    !areEqualSets(
      reversed,
      requests.map(({ data }) => data.awardId),
    )
  )
    errors.push('a reversal is not entered once');
  if (new Set(awards.map(({ data }) => data.awardId)).size < awards.length) errors.push('an award is entered twice');
  for (const { data } of reversals)
    if (data.points !== -data.awardedPoints) errors.push(`${data.reversalId} does not take the points of its award`);
  return errors;
}

/** Each balance is the sum of the entries so far and never negative, and gives at least its level. */
function checkBalances(entries: readonly PointsEvent[]): string[] {
  const errors: string[] = [];
  let sum = 0;
  for (const { data } of entries) {
    sum += data.points;
    if (data.balance !== sum || sum < 0) errors.push(`the balance is ${data.balance} and the sum ${sum}`);
    if (data.level < calculateLevel(sum, { levels: DEFAULT_LEVELS, minimumLevel: 1 }))
      errors.push('a level is too low');
  }
  return errors;
}

/** Both lists have the same ids, each once. */
function areEqualSets(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted()) && new Set(some).size === some.length;
}
