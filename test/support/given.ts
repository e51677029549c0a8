import type { Decider, DecisionContext } from '../../src/kernel/decider.js';
import { fold } from '../../src/kernel/decider.js';
import type { Fact } from '../../src/kernel/event.js';
import { Rejection } from '../../src/kernel/rejection.js';

/** Fixed input of a decision beside command and state. Ids are `prod_1`, `prod_2` in the order of their creation. */
export interface DecisionInput {
  readonly now?: string;
}

const NOW = '2026-02-01T09:00:00.000Z';

/**
 * Starts a decider test from recorded events: `given(product, created).when({ type: 'ApproveProduct', …
 * }).then(approved)`.
 */
export function given<S, C, E extends Fact>(decider: Decider<S, C, E>, ...history: readonly NoInfer<E>[]) {
  return {
    when(command: C, facts: DecisionInput = {}): Expectation<E> {
      const decide = () =>
        decider.decide(deepFreeze(command), fold(decider, history.map(deepFreeze)), createDecisionContext(facts));
      return new Expectation(decide);
    },
  };
}

/** Every expectation decides twice: the second decision must equal the first. */
class Expectation<E extends Fact> {
  private readonly decide: () => readonly E[];

  constructor(decide: () => readonly E[]) {
    this.decide = decide;
  }

  then(...events: readonly E[]): void {
    expect(this.decide()).toEqual(events);
    expect(this.decide()).toEqual(events);
  }

  thenNothing(): void {
    this.then();
  }

  /** @param param the invalid field; @param extra further members of the problem document */
  thenRejects(code: string, param?: string, extra?: object): void {
    for (const refusal of [this.catchRejection(), this.catchRejection()]) {
      expect(refusal.code).toBe(code);
      if (param !== undefined) expect(refusal.errors.map((fault) => fault.param)).toContain(param);
      if (extra !== undefined) expect(refusal.extra).toEqual(extra);
    }
  }

  /** Expects the refusal of a limit that allows the command after this time. */
  thenLimits(retryAfterSeconds: number): void {
    const { code, retryAfterSeconds: seconds } = this.catchRejection();
    expect([code, seconds]).toEqual(['rate_limited', retryAfterSeconds]);
  }

  private catchRejection(): Rejection {
    let decided: readonly E[];
    try {
      decided = this.decide();
    } catch (error) {
      if (error instanceof Rejection) return error;
      throw error;
    }
    throw new Error(`Expected a rejection, but it decided ${JSON.stringify(decided)}`);
  }
}

function createDecisionContext({ now = NOW }: DecisionInput): DecisionContext {
  let drawn = 0;
  return { now, createId: (prefix) => `${prefix}_${++drawn}` };
}

/** Freezes a value deeply, so a decider that mutates its input fails in its own test. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
