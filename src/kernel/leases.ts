/**
 * A lease that ends later than a new one would by more than this was taken while the clock was ahead: it has ended. The
 * margin is for holders that ask for different times. Leases of jobs and of idempotency keys are shorter than it.
 */
export const LEASE_CLOCK_MARGIN_MS = 3_600_000;

/** Named leases, each with at most one holder at a time. */
export abstract class Leases {
  /**
   * Acquires or renews the lease for `ttlMs` of the store's time. Returns a fencing token that grows with each new
   * holder, or null while another holder has the lease.
   */
  abstract acquireLease(name: string, holder: string, ttlMs: number): Promise<number | null>;
  abstract releaseLease(name: string, holder: string): Promise<void>;
}
