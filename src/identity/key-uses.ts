import { Injectable } from '@nestjs/common';
import { Recent } from '../engine/recent.js';
import { Clock, iso } from '../kernel/clock.js';
import { ReadModels } from '../kernel/read-models.js';
import type { ApiKeyDocument } from './projections/api-keys.js';

export const KEY_USES = 'apiKeyUses';
const NOTED_EVERY_MS = 60_000;
const REMEMBERED_KEYS = 10_000;

interface KeyUse {
  readonly last_used_at: string;
}

/** Stores the last use of each key, to the minute. The data is in no event, so a rebuild does not restore it. */
@Injectable()
export class KeyUses {
  private isPrepared = false;
  private readonly noted = new Recent<string, number>(REMEMBERED_KEYS);

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** Records a use in the background. A failed write is ignored; the next use after a minute writes again. */
  note(keyId: string): void {
    const now = this.clock.monotonic();
    if (now - (this.noted.get(keyId) ?? -Infinity) < NOTED_EVERY_MS) return;
    this.noted.set(keyId, now);
    void this.write(keyId, this.clock.now()).catch(() => undefined);
  }

  /** Returns the keys with the time of their last use. */
  async shownIn(keys: readonly ApiKeyDocument[]): Promise<ApiKeyDocument[]> {
    const uses = await this.of(keys.map(({ id }) => id));
    return keys.map((key) => ({ ...key, last_used_at: uses.get(key.id) ?? null }));
  }

  private async write(keyId: string, now: number): Promise<void> {
    const before = (await this.of([keyId])).get(keyId);
    if (before !== undefined && now - Date.parse(before) < NOTED_EVERY_MS) return;
    const last_used_at = iso(now);
    // The time serves as the position, so that the latest write of several processes is kept.
    await this.readModels.save(KEY_USES, [{ id: keyId, position: last_used_at, document: { id: keyId, last_used_at } }]);
  }

  private async of(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    await this.prepare();
    const rows = await this.readModels.load(KEY_USES, keyIds);
    return new Map(rows.map(({ id, document }) => [id, (document as KeyUse).last_used_at]));
  }
  /** Prepares the collection on first use. At the start of the modules the stores may not be ready. */
  private async prepare(): Promise<void> {
    if (this.isPrepared) return;
    await this.readModels.prepare(KEY_USES, { indexes: [] });
    this.isPrepared = true;
  }
}
