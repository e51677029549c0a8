import { Injectable } from '@nestjs/common';
import { Vault } from '../kernel/vault.js';
import { Keys } from './keys.js';
import { decryptKept, encryptKept } from './sealing.js';

/** Secrets of the service's own making, kept under the master key. Read anew each time: no cache outlives a rotation. */
@Injectable()
export class Secrets {
  constructor(
    private readonly vault: Vault,
    private readonly keys: Keys,
  ) {}

  /** Answers the secret that is kept under this id: an earlier one, when there is one, so that a repeated command keeps its first secret. */
  async keep(id: string, secret: string): Promise<string> {
    const name = vaultId(id);
    const kept = await this.vault.put(name, encryptKept(this.keys.master, name, Buffer.from(secret)));
    return decryptKept(this.keys.master, name, kept).toString();
  }

  async read(id: string): Promise<string | null> {
    const name = vaultId(id);
    const kept = await this.vault.get(name);
    return kept === null ? null : decryptKept(this.keys.master, name, kept).toString();
  }

  async destroy(id: string): Promise<void> {
    await this.vault.destroy(vaultId(id));
  }
}

function vaultId(id: string): string {
  return `secret:${id}`;
}
