import { hash } from 'node:crypto';

const RETENTION_MS = 1_000;
const MAX_TEXTS = 1_000;

/**
 * Digests of credentials. Several steps of each request need one, so it remembers them by the text of the credential,
 * for about a second, so that no text is kept for long.
 */
export class RecentDigests {
  private readonly known = new Map<string, string>();

  get size(): number {
    return this.known.size;
  }

  digest(credential: string): string {
    const known = this.known.get(credential);
    if (known !== undefined) return known;

    if (this.known.size === 0) setTimeout(() => this.known.clear(), RETENTION_MS).unref();
    const digest = hash('sha256', credential, 'base64');
    if (this.known.size < MAX_TEXTS) this.known.set(credential, digest);
    return digest;
  }
}
