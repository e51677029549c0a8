import { Awards } from '../../src/community/commands/awards.steps.js';
import { Ledgers } from '../../src/community/commands/ledgers.steps.js';
import { Members } from '../../src/community/commands/members.steps.js';
import { Reversals } from '../../src/community/commands/reversals.steps.js';
import { communityDecider } from '../../src/community/domain/community.js';
import { memberDecider } from '../../src/community/domain/member.js';
import type { Award, PointsEvent } from '../../src/community/domain/points.js';
import type { PointsReversalEvent } from '../../src/community/domain/points-reversal.js';
import type { PointsSourceEvent } from '../../src/community/domain/points-source.js';
import { AwardReservedPoints } from '../../src/community/processes/award-reserved-points.js';
import { ReverseRequestedPoints } from '../../src/community/processes/reverse-requested-points.js';
import type { ReadModelReader } from '../../src/engine/read-models/read-model-reader.js';
import { Streams } from '../../src/engine/streams/streams.js';
import type { Fact, RecordedOf } from '../../src/kernel/event.js';
import { EagerClock, SeededRandom } from '../support/clock.js';
import { createContext } from '../support/jar.js';
import { crashAfter, crashAt, crashBefore } from '../support/memory/crashes.js';
import { type AppendFault, FaultyEventStore } from '../support/memory/faulty-event-store.js';
import { award, newCommunity, newMember } from './facts.js';

/** A step of a random history. Sources and entries are chosen by index among what exists. */
export type PointsStep =
  | { readonly do: 'award'; readonly points: number; readonly source: number | null }
  | { readonly do: 'reverse'; readonly entry: number }
  | { readonly do: 'change level'; readonly level: number };

/** A crash at an append; `recorded`: the append was written. */
export interface PointsCrash {
  readonly append: number;
  readonly recorded: boolean;
}

type Awarded = RecordedOf<Extract<PointsEvent, { type: 'PointsAwarded' }>>;

/** The reader of a read model that lags: it finds no award, so that each one is looked up in the ledger. */
const EMPTY_READER = { getExisting: () => Promise.resolve(new Map()) } as unknown as ReadModelReader;

/** Awards and reverses points of one member on an in-memory event log, each step in a process of its own. */
export class PointsFixture {
  private readonly clock = new EagerClock();
  private readonly store = new FaultyEventStore(this.clock);
  private steps = 0;

  async start(): Promise<void> {
    const { streams } = this.startProcess();
    const command = { type: 'CreateCommunity', ...newCommunity } as const;
    await streams.execute(communityDecider, 'com_1', command, createContext('create'));
    await new Members(streams).join(newMember, createContext('join'));
  }

  /** Runs the steps at the same time, each twice. A crash ends one of them. */
  async run(steps: readonly PointsStep[], crash: PointsCrash | null): Promise<void> {
    if (crash !== null) this.store.faults.push(...toFaults(crash));
    const repeated = steps.flatMap((step) => [
      { step, n: ++this.steps },
      { step, n: ++this.steps },
    ]);
    await Promise.all(repeated.map(({ step, n }) => this.runStep(step, n).catch(ignore)));
    this.store.faults.length = 0;
  }

  /** Does what the processes do after a crash, twice. */
  async recover(): Promise<void> {
    for (let times = 0; times < 2; times++) {
      const { ledgers } = this.startProcess();
      for (const event of this.list<PointsSourceEvent>('PointsReserved'))
        await new AwardReservedPoints(ledgers).react(event);
      for (const event of this.list<PointsReversalEvent>('PointsReversalRequested'))
        await new ReverseRequestedPoints(ledgers).react(event);
    }
  }

  list<E extends Fact>(...types: readonly E['type'][]): RecordedOf<E>[] {
    return this.store.log.filter(({ type }) => types.includes(type)) as RecordedOf<E>[];
  }

  private startProcess() {
    const streams = new Streams(this.store, this.clock, new SeededRandom(this.store.log.length + 1));
    const ledgers = new Ledgers(streams);
    return {
      streams,
      ledgers,
      awards: new Awards(streams, ledgers, EMPTY_READER),
      reversals: new Reversals(streams, ledgers),
    };
  }

  private async runStep(step: PointsStep, n: number): Promise<unknown> {
    const { streams, awards, reversals } = this.startProcess();
    switch (step.do) {
      case 'award':
        return awards.pay(toAward(step, n), createContext(`award ${n}`));
      case 'reverse': {
        const entries = this.list<PointsEvent>('PointsAwarded') as Awarded[];
        const entry = entries[step.entry % Math.max(1, entries.length)];
        return entry && reversals.reverse(toReversal(entry, n), createContext(`reverse ${n}`));
      }
      case 'change level': {
        const command = { type: 'ChangeMember', changes: { minimumLevel: step.level } } as const;
        return streams.execute(memberDecider, 'mem_1', command, createContext(`level ${n}`));
      }
    }
  }
}

function toAward({ points, source }: Extract<PointsStep, { do: 'award' }>, n: number): Award {
  const from = source === null ? { sourceType: 'manual', sourceId: null } : { sourceId: `lesson-${source}` };
  return { ...award, awardId: `pta_${n}`, points, ...from };
}

function toReversal({ data: { awardId, points, at } }: Awarded, n: number) {
  const { communityId, memberId, userId, email } = award;
  const member = { communityId, memberId, userId, email };
  const request = { reversalId: `pta_r${n}`, reason: 'By mistake', reversedBy: 'usr_2' };
  return { ...member, ...request, awardId, awardedPoints: points, awardedAt: at };
}

function toFaults({ append, recorded }: PointsCrash): AppendFault[] {
  return crashAt(append + 1, recorded ? crashAfter : crashBefore);
}

/** A step may be refused, or end by its crash. */
function ignore(): void {}
