import { plainBaseline, type Decider, type Decision } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import type { Sealed } from '../../kernel/sealed.js';
import { levelAt, type Climb } from './levels.js';

export interface Award {
  readonly awardId: string;
  readonly communityId: string;
  readonly memberId: string;
  readonly userId: string;
  readonly email: Sealed | null;
  readonly points: number;
  readonly sourceType: string;
  /** Null for an award by hand, which names no source and may be repeated. */
  readonly sourceId: string | null;
}

/** One entry of a member's ledger, with what it came to. Entries are never changed. */
export type PointsEvent = Fact<
  'PointsAwarded',
  Award & { readonly balance: number; readonly level: number; readonly leveledUp: boolean; readonly at: string }
>;

/** A ledger never ends. It knows its latest entries by their ids; whether an older award has been entered, the caller finds out. */
export interface Ledger {
  readonly balance: number;
  readonly entries: number;
  readonly latest: readonly string[];
}

const REMEMBERED_ENTRIES = 500;

function evolve({ entries, latest }: Ledger, { data: { awardId, balance } }: PointsEvent): Ledger {
  return { balance, entries: entries + 1, latest: [...latest, awardId].slice(-REMEMBERED_ENTRIES) };
}

/** Whether nothing but the ledger's own events can tell if the award has been entered. */
export function mayHaveForgotten({ entries, latest }: Ledger, awardId: string): boolean {
  return entries > latest.length && !latest.includes(awardId);
}

export interface PointsCommand {
  readonly type: 'AwardPoints';
  readonly award: Award;
  readonly climb: Climb;
}

function decide({ award, climb }: PointsCommand, ledger: Ledger, { now }: Decision): readonly PointsEvent[] {
  if (ledger.latest.includes(award.awardId)) return [];

  const balance = ledger.balance + award.points;
  const level = levelAt(balance, climb);
  const leveledUp = level > levelAt(ledger.balance, climb);
  return [{ type: 'PointsAwarded', data: { ...award, balance, level, leveledUp, at: now } }];
}

export const points: Decider<Ledger, PointsCommand, PointsEvent> = {
  category: 'points',
  endless: true,
  baseline: plainBaseline(1),
  versions: { PointsAwarded: 1 },
  initial: { balance: 0, entries: 0, latest: [] },
  evolve,
  decide,
};
