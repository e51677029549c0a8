import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../engine/encryption/secrets.js';
import { describeSigningKey, type SigningKeyInfo } from './checkpoint-signature.js';

const SECRET_ID = 'audit signing key';

/** The Ed25519 key that signs checkpoints. It is in the vault, so all processes use the same key. */
@Injectable()
export class SigningKey {
  private key: Promise<KeyObject> | null = null;

  constructor(private readonly secrets: Secrets) {}

  /** Returns the private key; the first call on a store creates it. */
  load(): Promise<KeyObject> {
    this.key ??= this.read().catch((error: unknown) => {
      this.key = null;
      throw error;
    });
    return this.key;
  }

  async describe(): Promise<SigningKeyInfo> {
    return describeSigningKey(await this.load());
  }

  private async read(): Promise<KeyObject> {
    const stored = (await this.secrets.read(SECRET_ID)) ?? (await this.secrets.store(SECRET_ID, generateKey()));
    if (stored === null) throw new Error('The signing key of the audit chain was destroyed.');
    return createPrivateKey({ key: Buffer.from(stored, 'base64'), format: 'der', type: 'pkcs8' });
  }
}

function generateKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}
