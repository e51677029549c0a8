import { setImmediate as nextTurn } from 'node:timers/promises';
import { LONGEST_PERIOD_DAYS, packDays, type PackedDays, sumPackedSince } from '../domain/daily-points.js';
import { Ranking } from '../domain/ranking.js';
import type { MemberDocument } from '../projections/members.js';

/** The members ranked in one step; other tasks run between two steps. */
const STEP = 1_000;
/** Approximate memory of a member in the rankings, and of one day with points. */
const MEMBER_BYTES = 250;
const DAY_BYTES = 16;

interface Period {
  readonly firstDay: number;
  readonly ranking: Ranking;
}

/** The active members of a community with points in recent days, and their rankings. */
export class PeriodRankings {
  private readonly members = new Map<string, PackedDays>();
  /** The rankings by the number of days of their period. */
  private readonly periods = new Map<number, Period>();
  private storedDays = 0;

  get approximateBytes(): number {
    return this.members.size * MEMBER_BYTES + this.storedDays * DAY_BYTES;
  }

  /** @param today the number of the day; earlier days than those of the longest period are left out */
  apply({ id, status, _daily }: MemberDocument, today: number): void {
    const before = this.members.get(id) ?? [];
    const after = status === 'active' ? packDays(_daily, today - LONGEST_PERIOD_DAYS + 1) : [];
    for (const { ranking, firstDay } of this.periods.values()) {
      const [from, to] = [sumPackedSince(before, firstDay), sumPackedSince(after, firstDay)];
      if (from > 0) ranking.remove({ memberId: id, points: from });
      if (to > 0) ranking.add({ memberId: id, points: to });
    }
    this.store(id, before, after);
  }

  /** Returns the ranking of the days up to today. The first call of a day ranks every member again. */
  async rank(days: number, today: number): Promise<Ranking> {
    const firstDay = today - days + 1;
    const known = this.periods.get(days);
    if (known?.firstDay === firstDay) return known.ranking;

    const ranking = new Ranking();
    let ranked = 0;
    for (const [memberId, packed] of this.members) {
      if (isPast(packed, today)) this.store(memberId, packed, []);
      const points = sumPackedSince(packed, firstDay);
      if (points > 0) ranking.add({ memberId, points });
      if (++ranked % STEP === 0) await nextTurn();
    }
    this.periods.set(days, { firstDay, ranking });
    return ranking;
  }

  private store(id: string, before: PackedDays, after: PackedDays): void {
    this.storedDays += (after.length - before.length) / 2;
    if (after.length > 0) this.members.set(id, after);
    else this.members.delete(id);
  }
}

/** Whether the member has no points in the longest period. */
function isPast(packed: PackedDays, today: number): boolean {
  return packed.at(-2)! <= today - LONGEST_PERIOD_DAYS;
}
