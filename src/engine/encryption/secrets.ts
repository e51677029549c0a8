import { Injectable } from '@nestjs/common';
import { Vault } from '../../kernel/vault.js';
import { LruCache } from '../lru-cache.js';
import { SingleFlight } from '../single-flight.js';
import { Keys, VAULT_PURPOSE } from './keys.js';

/** Capacity of the cache of decrypted secrets: decrypting costs more than reading. */
const CACHED_SECRETS = 1_000;

/**
 * Stores the secrets that the service generates, encrypted with the master key. Every read loads the stored value: no
 * cached secret survives a rotation.
 */
@Injectable()
export class Secrets {
  private readonly cache = new LruCache<string, { readonly kept: Uint8Array; readonly secret: string }>(CACHED_SECRETS);
  private readonly reads = new SingleFlight<string | null>();

  constructor(
    private readonly vault: Vault,
    private readonly keys: Keys,
  ) {}

  /**
   * Stores a secret and returns the stored one. An earlier secret under the same id wins, so that a repeated command
   * keeps its first secret. Returns null when the secret has been destroyed.
   */
  async store(id: string, secret: string): Promise<string | null> {
    const name = vaultId(id);
    const kept = await this.vault.putIfAbsent(name, this.keys.encrypt(VAULT_PURPOSE, name, Buffer.from(secret)));
    return this.decryptCached(name, kept);
  }

  read(id: string): Promise<string | null> {
    const name = vaultId(id);
    return this.reads.run(name, async () => this.decryptCached(name, await this.vault.get(name)));
  }

  async destroy(id: string): Promise<void> {
    await this.vault.destroy(vaultId(id));
  }

  private decryptCached(name: string, kept: Uint8Array | null): string | null {
    const known = this.cache.get(name);
    this.cache.delete(name);
    if (kept === null) return null;
    const isSame = known !== undefined && Buffer.compare(known.kept, kept) === 0;
    const secret = isSame ? known.secret : this.keys.decrypt(VAULT_PURPOSE, name, kept).toString();
    this.cache.set(name, { kept, secret });
    return secret;
  }
}

function vaultId(id: string): string {
  return `secret:${id}`;
}
