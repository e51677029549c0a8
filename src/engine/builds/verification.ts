import type { Clock } from '../../kernel/clock.js';
import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { type DeadLetter, DeadLetters } from '../projections/dead-letters.js';
import { loadWithSkips } from '../projections/skips.js';
import { Comparison, type Difference } from './comparison.js';
import { readRanges } from './ranges.js';
import { Totals } from './totals.js';

export interface Verification {
  readonly build: string;
  /** Number of compared documents. */
  readonly documents: number;
  /** Position of the build when the verification began. */
  readonly position: Position;
  readonly differences: readonly Difference[];
}

interface VerificationTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
}

interface VerificationOptions {
  readonly sample?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Folds documents from the log and compares them with the build, each at its own position, and compares the sizes of
 * groups with their content. Documents that a dead letter blocks are named; the others are compared.
 * @throws AbortedError
 */
export async function verifyBuild<D extends object>(
  projection: Projection<D>,
  build: string,
  { store, readModels, clock }: VerificationTools,
  { sample, signal }: VerificationOptions,
): Promise<Verification> {
  const map = await loadWithSkips(projection, store);
  const position = await readModels.readCheckpoint(build);
  // Dead letters are read after the checkpoint, so that they include all events set aside before it.
  const deadLetters = new DeadLetters(readModels, clock, build);
  const blocked = [...(await deadLetters.load()).values()].map(toBlockedDifference);
  const totals = new Totals(projection.totals, projection.hourly);
  const found = new Map(blocked.map((difference) => [difference.id, difference]));
  let documents = 0;
  for await (const ranges of readRanges(build, readModels, sample)) {
    const comparison = new Comparison(map, ranges, position, deadLetters);
    await comparison.fold(store, signal);
    for (const difference of await comparison.findDifferences(build, readModels)) {
      if (!found.has(difference.id)) found.set(difference.id, difference);
    }
    const kept = ranges.flatMap(({ rows }) => rows.flatMap(({ document }) => document ?? []));
    for (const document of kept) totals.add(document);
    documents += kept.length;
  }
  return {
    build,
    documents,
    position,
    differences: [...found.values(), ...(await totals.findDifferences(build, readModels))],
  };
}

function toBlockedDifference(deadLetters: readonly DeadLetter[]): Difference {
  const { id: letter, document, stream } = deadLetters[0]!;
  return { id: document ?? stream, what: 'is blocked', deadLetter: letter };
}
