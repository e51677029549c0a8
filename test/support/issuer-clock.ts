import { SystemClock } from '../../src/kernel/clock.js';

const SECOND_MS = 1_000;

/**
 * The clock of the tests' identity provider. A token with another address is issued a second after the last token of
 * its subject, because tokens of one second have no order.
 */
export class IssuerClock {
  private readonly clock = new SystemClock();
  private readonly issued = new Map<string, { readonly email: string | null; readonly second: number }>();

  /** Returns a clock that stands at the time of the next token of the subject. */
  clockFor(subject: string, email: string | null): SystemClock {
    const now = Math.floor(this.clock.now() / SECOND_MS);
    const last = this.issued.get(subject);
    const earliest = last === undefined || last.email === email ? last?.second : last.second + 1;
    const second = Math.max(now, earliest ?? now);
    this.issued.set(subject, { email, second });
    return Object.assign(new SystemClock(), { now: () => second * SECOND_MS });
  }
}
