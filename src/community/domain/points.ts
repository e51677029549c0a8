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
export type LedgerEntry =
  | Fact<'PointsAwarded', Award & LedgerBalance & Kept & { readonly leveledUp: boolean }>
  | Fact<'PointsReversed', Reversal & LedgerBalance & Kept & { readonly points: number }>;

/**
 * The member had not signed in yet: the award is kept until the member joins. Missing for other members, and in events
 * of earlier versions.
 */
interface Kept {
  readonly kept?: true;
}

/** A kept award, with the balance and the level of its entry. */
export type KeptAward = Award & Omit<LedgerBalance, 'at'> & { readonly leveledUp: boolean; readonly awardedAt: string };

/** A kept award is paid because its member has joined. Its points are in the balance already. */
export type PointsEvent = LedgerEntry | Fact<'PointsPaid', KeptAward>;

export function entryIdOf(event: PointsEvent): string {
  return event.type === 'PointsReversed' ? event.data.reversalId : event.data.awardId;
}

/** An unbounded ledger. The state remembers only the latest entries; the caller searches the stream for older ones. */
export interface Ledger extends RecentEntries {
  readonly balance: number;
  readonly entries: number;
  /** The ids of the awards that are neither paid nor reversed, oldest first. */
  readonly kept: readonly string[];
}

function evolve(ledger: Ledger, event: PointsEvent): Ledger {
  const others = ledger.kept.filter((id) => id !== event.data.awardId);
  if (event.type === 'PointsPaid') return { ...ledger, kept: others };
  const { balance, at } = event.data;
  const kept = event.type === 'PointsAwarded' && event.data.kept ? [...others, event.data.awardId] : others;
  return { balance, entries: ledger.entries + 1, kept, ...addEntry(ledger, [entryIdOf(event), at]) };
}

export type NewEntry =
  | { readonly type: 'AwardPoints'; readonly award: Award }
  | { readonly type: 'ReversePoints'; readonly reversal: Reversal };

type EnterEntry = NewEntry & EntrySearch & { readonly levelRules: LevelRules; readonly isKept: boolean };

export type PointsCommand = EnterEntry | { readonly type: 'PayPoints'; readonly awards: readonly KeptAward[] };

function decide(command: PointsCommand, ledger: Ledger, { now }: DecisionContext): readonly PointsEvent[] {
  if (command.type !== 'PayPoints') return enter(command, ledger, now);
  const awards = command.awards.filter(({ awardId }) => ledger.kept.includes(awardId));
  return awards.map((award) => ({ type: 'PointsPaid', data: award }));
}

/** Returns no event when the ledger may have the entry already: the caller searches the stream and repeats the command. */
function enter(command: EnterEntry, ledger: Ledger, at: string): readonly LedgerEntry[] {
  const entryId = command.type === 'AwardPoints' ? command.award.awardId : command.reversal.reversalId;
  if (findEntry(ledger, entryId) !== undefined || mayHaveDropped(ledger, ledger.entries, command)) return [];

  const { levelRules } = command;
  if (command.type === 'AwardPoints') {
    const balance = ledger.balance + command.award.points;
    const level = calculateLevel(balance, levelRules);
    const leveledUp = level > calculateLevel(ledger.balance, levelRules);
    const kept = command.isKept && { kept: true as const };
    return [{ type: 'PointsAwarded', data: { ...command.award, balance, level, leveledUp, at, ...kept } }];
  }
  const balance = Math.max(0, ledger.balance - command.reversal.awardedPoints);
  const entry = { points: balance - ledger.balance, balance, level: calculateLevel(balance, levelRules), at };
  const kept = ledger.kept.includes(command.reversal.awardId) && { kept: true as const };
  return [{ type: 'PointsReversed', data: { ...command.reversal, ...entry, ...kept } }];
}

export const pointsDecider: Decider<Ledger, PointsCommand, PointsEvent> = {
  category: 'points',
  unbounded: true,
  baseline: createJsonBaseline(4),
  versions: { PointsAwarded: 1, PointsReversed: 1, PointsPaid: 1 },
  initial: { balance: 0, entries: 0, kept: [], ...NO_RECENT_ENTRIES },
  evolve,
  decide,
};
