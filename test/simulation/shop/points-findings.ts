import type { PointsEvent } from '../../../src/community/domain/points.js';
import type { PointsReversalEvent } from '../../../src/community/domain/points-reversal.js';
import type { PointsSourceEvent } from '../../../src/community/domain/points-source.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';

type Fact = PointsEvent | PointsReversalEvent | PointsSourceEvent;

/** Finds points that are not conserved, and sources or reversals without exactly one entry. */
export function findPointsErrors(log: readonly RecordedEvent[]): string[] {
  const entries = listEntries(log);
  return [
    ...findPointsErrorsSoFar(log),
    ...(log as readonly (RecordedEvent & Fact)[]).flatMap((fact) => {
      if (fact.type === 'PointsReserved') return findMiscountedEntries(fact.data, 'PointsAwarded', entries);
      return fact.type === 'PointsReversalRequested' ? findMiscountedEntries(fact.data, 'PointsReversed', entries) : [];
    }),
  ];
}

/**
 * Finds balances that are not the sum of their entries, and sources that were paid twice. Both hold at any moment, also
 * after a crash between a reservation and its entry.
 */
export function findPointsErrorsSoFar(log: readonly RecordedEvent[]): string[] {
  const entries = listEntries(log);
  return [
    ...[...Map.groupBy(entries, ({ data }) => data.memberId)].flatMap(([id, own]) => findWrongBalances(id, own)),
    ...findRepeatedSources(entries),
  ];
}

function listEntries(log: readonly RecordedEvent[]): PointsEvent[] {
  return log.filter(({ type }) => type === 'PointsAwarded' || type === 'PointsReversed') as PointsEvent[] &
    readonly RecordedEvent[];
}

function findWrongBalances(memberId: string, entries: readonly PointsEvent[]): string[] {
  let sum = 0;
  return entries.flatMap(({ data }) => {
    sum += data.points;
    return data.balance === sum ? [] : [`the balance of ${memberId} is ${data.balance}, expected ${sum}`];
  });
}

/** A source pays a member once. */
function findRepeatedSources(entries: readonly PointsEvent[]): string[] {
  const sourceOf = (entry: PointsEvent) =>
    entry.type === 'PointsAwarded' ? `${entry.data.memberId} ${entry.data.sourceId}` : null;
  return [...Map.groupBy(entries, sourceOf)].flatMap(([source, own]) =>
    source === null || own.length === 1 ? [] : [`${source} was paid ${own.length} times`],
  );
}

function findMiscountedEntries(
  { awardId }: { readonly awardId: string },
  type: PointsEvent['type'],
  entries: readonly PointsEvent[],
): string[] {
  const times = entries.filter((entry) => entry.type === type && entry.data.awardId === awardId).length;
  return times === 1 ? [] : [`${awardId} has ${times} entries ${type}`];
}
