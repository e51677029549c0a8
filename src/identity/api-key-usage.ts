import { Injectable } from '@nestjs/common';
import { LruCache } from '../engine/lru-cache.js';
import { reportAndIgnore } from '../kernel/background-errors.js';
import { Clock, toIso } from '../kernel/clock.js';
import type { PublicationSources } from '../kernel/public-event-definition.js';
import { ReadModels } from '../kernel/read-models.js';
import type { ApiKeyDocument } from './projections/api-keys.js';

export const API_KEY_USAGE = 'apiKeyUsage';
const WRITE_INTERVAL_MS = 60_000;
const MAX_TRACKED_KEYS = 10_000;

interface LastUse {
  readonly last_used_at: string;
}

/** Adds the last use, which is in no event. */
export async function addLastUse(key: ApiKeyDocument, sources: PublicationSources): Promise<ApiKeyDocument> {
  const use = (await sources.readStored(API_KEY_USAGE, key.id)) as LastUse | null;
  return { ...key, last_used_at: use?.last_used_at ?? null };
}

/** Stores the last use of each key, to the minute. The data is in no event, so a rebuild does not restore it. */
@Injectable()
export class ApiKeyUsage {
  private isPrepared = false;
  private readonly lastWrites = new LruCache<string, number>(MAX_TRACKED_KEYS);

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** Records a use in the background. A failed write is ignored; the next use after a minute writes again. */
  record(keyId: string): void {
    const now = this.clock.monotonic();
    if (now - (this.lastWrites.get(keyId) ?? -Infinity) < WRITE_INTERVAL_MS) return;
    this.lastWrites.set(keyId, now);
    void this.write(keyId, this.clock.now()).catch(reportAndIgnore({ kind: 'loop', name: 'key usage' }));
  }

  async withLastUsed(keys: readonly ApiKeyDocument[]): Promise<ApiKeyDocument[]> {
    const uses = await this.load(keys.map(({ id }) => id));
    return keys.map((key) => ({ ...key, last_used_at: uses.get(key.id) ?? null }));
  }

  private async write(keyId: string, now: number): Promise<void> {
    const before = (await this.load([keyId])).get(keyId);
    if (before !== undefined && now - Date.parse(before) < WRITE_INTERVAL_MS) return;
    const last_used_at = toIso(now);
    // The time serves as the position, so that the latest write of several processes is kept.
    await this.readModels.upsert(API_KEY_USAGE, [
      { id: keyId, position: last_used_at, document: { id: keyId, last_used_at } },
    ]);
  }

  private async load(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    await this.prepare();
    const rows = await this.readModels.load(API_KEY_USAGE, keyIds);
    return new Map(rows.map(({ id, document }) => [id, (document as LastUse).last_used_at]));
  }

  /** Prepares the collection on first use. At the start of the modules the stores may not be ready. */
  private async prepare(): Promise<void> {
    if (this.isPrepared) return;
    await this.readModels.ensureCollection(API_KEY_USAGE, { indexes: [] });
    this.isPrepared = true;
  }
}
