import { Vault, type VaultEntry } from '../../kernel/vault.js';
import type { CommitQueue } from './commit-queue.js';
import type { ReadThreads } from './read-threads/read-threads.js';
import type { Reader } from './reader.js';

export class EmbeddedVault extends Vault {
  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
    private readonly readThreads: ReadThreads,
  ) {
    super();
  }

  putIfAbsent(id: string, encrypted: Uint8Array): Promise<Uint8Array | null> {
    return this.queue.run('putIfAbsent', id, encrypted);
  }

  async get(id: string): Promise<Uint8Array | null> {
    const row = await this.reader.read((sql) =>
      sql.get<{ sealed: Uint8Array | null }>('select sealed from vault where id = ?', id),
    );
    return row?.sealed ?? null;
  }

  replace(id: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    return this.queue.run('replace', id, before, after);
  }

  destroy(id: string): Promise<void> {
    return this.queue.run('destroy', id);
  }

  listEntries(after: string, limit: number): Promise<VaultEntry[]> {
    return this.readThreads.bounded.run('listVaultEntries', after, limit);
  }
}
