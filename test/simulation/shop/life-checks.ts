import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { Bank } from './bank.js';
import { findChallengeErrors } from './challenge-findings.js';
import { findImportErrors } from './import-findings.js';
import { findPointsErrors, findPointsErrorsSoFar } from './points-findings.js';
import { findMoneyErrorsSoFar } from './running-money.js';
import { findShopErrors } from './shop-findings.js';
import { findSubscriptionErrors } from './subscription-findings.js';
import type { BusinessTimes } from './visitors.js';

/** The invariants of commerce and community when no work is left, by name. */
export function findAreaErrors(
  log: readonly RecordedEvent[],
  bank: Bank | null,
  times: BusinessTimes,
): Readonly<Record<string, string[]>> {
  return {
    I16: bank === null ? [] : findShopErrors(log, bank, times),
    subscriptions: findSubscriptionErrors(log, times),
    points: findPointsErrors(log),
    imports: findImportErrors(log),
    challenges: findChallengeErrors(log),
  };
}

/** Checks a shop and its communities whenever a process has ended, and after each month. */
export class LifeChecks {
  private readonly found = new Set<string>();

  constructor(
    private readonly log: readonly RecordedEvent[],
    private readonly bank: Bank,
  ) {}

  /** The violations, a sentence each. */
  get violations(): readonly string[] {
    return [...this.found];
  }

  /** Checks what holds at any moment, with one pass of the log. */
  checkEndedProcess(): void {
    this.report(findMoneyErrorsSoFar(this.log, this.bank));
    this.report(findPointsErrorsSoFar(this.log));
  }

  /** Checks what holds when no work is left. */
  checkMonth(times: BusinessTimes): void {
    for (const [name, errors] of Object.entries(findAreaErrors(this.log, this.bank, times)))
      this.report(errors.map((error) => `${name} ${error}`));
  }

  private report(errors: readonly string[]): void {
    for (const error of errors) this.found.add(error);
  }
}
