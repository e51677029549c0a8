import { plainBaseline, type Decider, type Decision } from '../../kernel/decider.js';
import { mayHaveForgotten, NOTHING_REMEMBERED, remember, remembered, type Remembered, type Sought } from '../../kernel/entries.js';
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
  /** Null for a manual award, which has no source and may be repeated. */
  readonly sourceId: string | null;
}

/** An entry of a member's ledger, with the resulting balance and level. Entries never change. */
export type PointsEvent = Fact<
  'PointsAwarded',
  Award & { readonly balance: number; readonly level: number; readonly leveledUp: boolean; readonly at: string }
>;

/** An unbounded ledger. The state remembers only the latest entries; the caller searches the stream for older ones. */
export interface Ledger extends Remembered {
  readonly balance: number;
  readonly entries: number;
}

const REMEMBERED_ENTRIES = 500;

function evolve(ledger: Ledger, { data: { awardId, balance, at } }: PointsEvent): Ledger {
  return { balance, entries: ledger.entries + 1, ...remember(ledger, [awardId, at], REMEMBERED_ENTRIES) };
}

export interface PointsCommand extends Sought {
  readonly type: 'AwardPoints';
  readonly award: Award;
  readonly climb: Climb;
}

/** Returns no event when the award may be entered already: the caller searches the stream and repeats the command. */
function decide(command: PointsCommand, ledger: Ledger, { now }: Decision): readonly PointsEvent[] {
  const { award, climb } = command;
  if (remembered(ledger, award.awardId) !== undefined || mayHaveForgotten(ledger, ledger.entries, command)) return [];

  const balance = ledger.balance + award.points;
  const level = levelAt(balance, climb);
  const leveledUp = level > levelAt(ledger.balance, climb);
  return [{ type: 'PointsAwarded', data: { ...award, balance, level, leveledUp, at: now } }];
}

export const points: Decider<Ledger, PointsCommand, PointsEvent> = {
  category: 'points',
  endless: true,
  baseline: plainBaseline(2),
  versions: { PointsAwarded: 1 },
  initial: { balance: 0, entries: 0, ...NOTHING_REMEMBERED },
  evolve,
  decide,
};
