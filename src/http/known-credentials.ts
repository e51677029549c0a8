import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Recent } from '../engine/recent.js';
import { Clock } from '../kernel/clock.js';

const REMEMBERED = 10_000;
const REMEMBERED_MS = 300_000;

/**
 * Credentials that were valid a short time ago, by digest. Such a credential is verified again, but its request is not
 * counted against the address first.
 */
@Injectable()
export class KnownCredentials {
  private readonly until = new Recent<string, number>(REMEMBERED);

  constructor(private readonly clock: Clock) {}

  has(authorization: string): boolean {
    return (this.until.get(digestOf(authorization)) ?? -Infinity) > this.clock.monotonic();
  }

  add(authorization: string): void {
    this.until.set(digestOf(authorization), this.clock.monotonic() + REMEMBERED_MS);
  }

  delete(authorization: string): void {
    this.until.delete(digestOf(authorization));
  }
}

function digestOf(authorization: string): string {
  return createHash('sha256').update(authorization).digest('base64');
}
