/** Named leases, each with at most one holder at a time. */
export abstract class Leases {
  /**
   * Acquires or renews the lease for `ttlMs` of the store's time. Returns a fencing token that grows with each new
   * holder, or null while another holder has the lease.
   */
  abstract acquireLease(name: string, holder: string, ttlMs: number): Promise<number | null>;
  abstract releaseLease(name: string, holder: string): Promise<void>;
}
