import { Injectable } from '@nestjs/common';
import { Vault } from '../../kernel/vault.js';
import { AtOnce } from '../at-once.js';
import { Recent } from '../recent.js';
import { Keys, VAULT } from './keys.js';

/** Capacity of the cache of decrypted secrets: decrypting costs more than reading. */
const REMEMBERED = 1_000;

/**
 * Stores the secrets that the service generates, encrypted with the master key. Every read loads the stored value: no
 * cached secret survives a rotation.
 */
@Injectable()
export class Secrets {
  private readonly lately = new Recent<string, { readonly kept: Uint8Array; readonly secret: string }>(REMEMBERED);
  private readonly reads = new AtOnce<string | null>();

  constructor(
    private readonly vault: Vault,
    private readonly keys: Keys,
  ) {}

  /**
   * Stores a secret and returns the stored one. An earlier secret under the same id wins, so that a repeated command
   * keeps its first secret. Returns null when the secret has been destroyed.
   */
  async keep(id: string, secret: string): Promise<string | null> {
    const name = vaultId(id);
    const kept = await this.vault.put(name, this.keys.seal(VAULT, name, Buffer.from(secret)));
    return this.opened(name, kept);
  }

  read(id: string): Promise<string | null> {
    const name = vaultId(id);
    return this.reads.run(name, async () => this.opened(name, await this.vault.get(name)));
  }

  async destroy(id: string): Promise<void> {
    await this.vault.destroy(vaultId(id));
  }

  private opened(name: string, kept: Uint8Array | null): string | null {
    const known = this.lately.get(name);
    this.lately.delete(name);
    if (kept === null) return null;
    const isSame = known !== undefined && Buffer.compare(known.kept, kept) === 0;
    const secret = isSame ? known.secret : this.keys.open(VAULT, name, kept).toString();
    this.lately.set(name, { kept, secret });
    return secret;
  }
}

function vaultId(id: string): string {
  return `secret:${id}`;
}
