import { createJsonBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';
import {
  addEntry,
  type EntrySearch,
  findEntry,
  mayHaveDropped,
  NO_RECENT_ENTRIES,
  type RecentEntries,
} from '../../kernel/recent-entries.js';
import { calculateLevel, type LevelRules } from './levels.js';

export interface Award {
  readonly awardId: string;
  readonly communityId: string;
  readonly memberId: string;
  readonly userId: string;
  readonly email: EncryptedField | null;
  readonly points: number;
  readonly sourceType: string;
  /** Null for a manual award, which has no source and may be repeated. */
  readonly sourceId: string | null;
}

/**
 * An entry of a member's ledger, with the resulting balance and level. Entries never change. `at` equals the time of
 * the event's meta, which `evolve` does not see.
 */
export type PointsEvent = Fact<
  'PointsAwarded',
  Award & { readonly balance: number; readonly level: number; readonly leveledUp: boolean; readonly at: string }
>;

/** An unbounded ledger. The state remembers only the latest entries; the caller searches the stream for older ones. */
export interface Ledger extends RecentEntries {
  readonly balance: number;
  readonly entries: number;
}

const REMEMBERED_ENTRIES = 500;

function evolve(ledger: Ledger, { data: { awardId, balance, at } }: PointsEvent): Ledger {
  return { balance, entries: ledger.entries + 1, ...addEntry(ledger, [awardId, at], REMEMBERED_ENTRIES) };
}

export interface PointsCommand extends EntrySearch {
  readonly type: 'AwardPoints';
  readonly award: Award;
  readonly levelRules: LevelRules;
}

/** Returns no event when the award may be entered already: the caller searches the stream and repeats the command. */
function decide(command: PointsCommand, ledger: Ledger, { now }: DecisionContext): readonly PointsEvent[] {
  const { award, levelRules } = command;
  if (findEntry(ledger, award.awardId) !== undefined || mayHaveDropped(ledger, ledger.entries, command)) return [];

  const balance = ledger.balance + award.points;
  const level = calculateLevel(balance, levelRules);
  const leveledUp = level > calculateLevel(ledger.balance, levelRules);
  return [{ type: 'PointsAwarded', data: { ...award, balance, level, leveledUp, at: now } }];
}

export const pointsDecider: Decider<Ledger, PointsCommand, PointsEvent> = {
  category: 'points',
  unbounded: true,
  baseline: createJsonBaseline(2),
  versions: { PointsAwarded: 1 },
  initial: { balance: 0, entries: 0, ...NO_RECENT_ENTRIES },
  evolve,
  decide,
};
