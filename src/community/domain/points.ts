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

/** The withdrawal of an award. `reversalId` is the id of its own entry. */
export interface Reversal {
  readonly reversalId: string;
  readonly awardId: string;
  readonly communityId: string;
  readonly memberId: string;
  readonly userId: string;
  readonly email: EncryptedField | null;
  readonly awardedPoints: number;
  readonly awardedAt: string;
  readonly reason: string;
  readonly reversedBy: string;
}

/** `at` equals the time of the event's meta, which `evolve` does not see. */
interface LedgerBalance {
  readonly balance: number;
  readonly level: number;
  readonly at: string;
}

/**
 * An entry of a member's ledger, with the resulting balance and level. Entries never change. The points of a reversal
 * are negative, or 0 when nothing is left to take.
 */
export type PointsEvent =
  | Fact<'PointsAwarded', Award & LedgerBalance & { readonly leveledUp: boolean }>
  | Fact<'PointsReversed', Reversal & LedgerBalance & { readonly points: number }>;

export function entryIdOf(event: PointsEvent): string {
  return event.type === 'PointsAwarded' ? event.data.awardId : event.data.reversalId;
}

/** An unbounded ledger. The state remembers only the latest entries; the caller searches the stream for older ones. */
export interface Ledger extends RecentEntries {
  readonly balance: number;
  readonly entries: number;
}

function evolve(ledger: Ledger, event: PointsEvent): Ledger {
  const { balance, at } = event.data;
  return { balance, entries: ledger.entries + 1, ...addEntry(ledger, [entryIdOf(event), at]) };
}

export type NewEntry =
  | { readonly type: 'AwardPoints'; readonly award: Award }
  | { readonly type: 'ReversePoints'; readonly reversal: Reversal };

export type PointsCommand = NewEntry & EntrySearch & { readonly levelRules: LevelRules };

/** Returns no event when the ledger may have the entry already: the caller searches the stream and repeats the command. */
function decide(command: PointsCommand, ledger: Ledger, { now: at }: DecisionContext): readonly PointsEvent[] {
  const entryId = command.type === 'AwardPoints' ? command.award.awardId : command.reversal.reversalId;
  if (findEntry(ledger, entryId) !== undefined || mayHaveDropped(ledger, ledger.entries, command)) return [];

  const { levelRules } = command;
  if (command.type === 'AwardPoints') {
    const balance = ledger.balance + command.award.points;
    const level = calculateLevel(balance, levelRules);
    const leveledUp = level > calculateLevel(ledger.balance, levelRules);
    return [{ type: 'PointsAwarded', data: { ...command.award, balance, level, leveledUp, at } }];
  }
  const balance = Math.max(0, ledger.balance - command.reversal.awardedPoints);
  const level = calculateLevel(balance, levelRules);
  return [
    { type: 'PointsReversed', data: { ...command.reversal, points: balance - ledger.balance, balance, level, at } },
  ];
}

export const pointsDecider: Decider<Ledger, PointsCommand, PointsEvent> = {
  category: 'points',
  unbounded: true,
  baseline: createJsonBaseline(3),
  versions: { PointsAwarded: 1, PointsReversed: 1 },
  initial: { balance: 0, entries: 0, ...NO_RECENT_ENTRIES },
  evolve,
  decide,
};
