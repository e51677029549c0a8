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

/** When each key was last used, to the minute. Side data: no event tells it, and no rebuild brings it back. */
@Injectable()
export class KeyUses {
  private isPrepared = false;
  private readonly noted = new Recent<string, number>(REMEMBERED_KEYS);

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** No request waits for it, nor fails by it: what cannot be written now is written a minute later. */
  note(keyId: string): void {
    const now = this.clock.monotonic();
    if (now - (this.noted.get(keyId) ?? -Infinity) < NOTED_EVERY_MS) return;
    this.noted.set(keyId, now);
    void this.write(keyId, this.clock.now()).catch(() => undefined);
  }

  /** The keys with the time of their last use. */
  async shownIn(keys: readonly ApiKeyDocument[]): Promise<ApiKeyDocument[]> {
    const uses = await this.of(keys.map(({ id }) => id));
    return keys.map((key) => ({ ...key, last_used_at: uses.get(key.id) ?? null }));
  }

  private async write(keyId: string, now: number): Promise<void> {
    const before = (await this.of([keyId])).get(keyId);
    if (before !== undefined && now - Date.parse(before) < NOTED_EVERY_MS) return;
    const last_used_at = iso(now);
    // Its time stands for its place in the log: of what several processes write, the latest stays.
    await this.readModels.save(KEY_USES, [{ id: keyId, position: last_used_at, document: { id: keyId, last_used_at } }]);
  }

  private async of(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    await this.prepare();
    const rows = await this.readModels.load(KEY_USES, keyIds);
    return new Map(rows.map(({ id, document }) => [id, (document as KeyUse).last_used_at]));
  }
  /** Not at the start, which waits for its stores only after all modules are there. */
  private async prepare(): Promise<void> {
    if (this.isPrepared) return;
    await this.readModels.prepare(KEY_USES, { indexes: [] });
    this.isPrepared = true;
  }
}
