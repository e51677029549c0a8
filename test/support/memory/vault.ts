import { Vault, type VaultEntry } from '../../../src/kernel/vault.js';

/** Encrypted keys in a map; null for a destroyed key. */
export class MemoryVault extends Vault {
  private readonly stored = new Map<string, Uint8Array | null>();

  async putIfAbsent(id: string, encrypted: Uint8Array): Promise<Uint8Array | null> {
    if (!this.stored.has(id)) this.stored.set(id, Uint8Array.from(encrypted));
    return this.get(id);
  }

  async get(id: string): Promise<Uint8Array | null> {
    const encrypted = this.stored.get(id) ?? null;
    return encrypted && Uint8Array.from(encrypted);
  }

  async replace(id: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    const kept = this.stored.get(id) ?? null;
    if (kept === null || Buffer.compare(kept, before) !== 0) return false;
    this.stored.set(id, Uint8Array.from(after));
    return true;
  }

  async destroy(id: string): Promise<void> {
    this.stored.set(id, null);
  }

  async listEntries(after: string, limit: number): Promise<VaultEntry[]> {
    const ids = [...this.stored.keys()].filter((id) => id > after).sort();
    return Promise.all(ids.slice(0, limit).map(async (id) => ({ id, encrypted: await this.get(id) })));
  }
}
