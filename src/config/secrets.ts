import { existsSync } from 'node:fs';
import { describeOperatorError, isTemporary } from '../startup/operator-errors.js';
import type { StoreLocation } from '../stores/store-url.js';
import {
  InvalidSecretFile,
  MASTER_KEY_FILE,
  PEPPER_FILE,
  readOrGenerateSecret,
  readSecret,
  type SecretFile,
  SESSION_KEY_FILE,
  type SessionKey,
  TOKEN_FILE,
} from './generated-secrets.js';
import type { Values } from './variables.js';

/** The secrets of the service, from variables or from files of the data directory. */
export interface Secrets {
  readonly masterKey: Buffer;
  readonly keyPepper: Buffer;
  readonly opsToken: string;
  /** Null: an identity provider has the keys of session tokens. */
  readonly sessionKey: SessionKey | null;
}

/** `create` generates missing files; `check` creates nothing. */
export type SecretsUse = 'create' | 'check';

/** With `check`, a missing file is null. */
export interface ReadSecrets {
  readonly secrets: { readonly [K in keyof Secrets]: Secrets[K] | null };
  /** One line for each file that cannot be used, and for each lost key of an existing store. */
  readonly mistakes: readonly string[];
}

const NO_SECRETS: ReadSecrets['secrets'] = { masterKey: null, keyPepper: null, opsToken: null, sessionKey: null };

/** Reads the secrets. Says in one line what is wrong with a file or the folder. @throws the error of a full disk */
export function readSecrets(values: Values, dataDir: string, stores: StoreLocation, use: SecretsUse): ReadSecrets {
  try {
    return readFiles(values, dataDir, stores, use);
  } catch (error) {
    const mistake = describeOperatorError(error);
    if (mistake === null || isTemporary(error)) throw error;
    return { secrets: NO_SECRETS, mistakes: [mistake] };
  }
}

function readFiles(values: Values, dataDir: string, stores: StoreLocation, use: SecretsUse): ReadSecrets {
  const mistakes: string[] = [];
  // Looked at first: another process that starts at the same time generates the keys before it creates the store.
  const hasStore = 'file' in stores && existsSync(stores.file);

  const read = <T>(file: SecretFile<T>, generates: boolean): T | null => {
    try {
      return generates ? readOrGenerateSecret(dataDir, file) : readSecret(dataDir, file);
    } catch (error) {
      if (!(error instanceof InvalidSecretFile)) throw error;
      mistakes.push(`${error.message}; put the original file back, or delete it when there is no store yet`);
      return null;
    }
  };
  const readKey = (given: Buffer | null, file: SecretFile<Buffer>, variable: string, purpose: string) => {
    if (given !== null) return given;
    const found = mistakes.length;
    const key = read(file, use === 'create' && !hasStore);
    if (key === null && hasStore && mistakes.length === found)
      mistakes.push(
        `${file.name} is missing in ${dataDir}, and the store there ${purpose}: put the file back, or set ${variable} to its content`,
      );
    return key;
  };

  const masterKey = readKey(values.MASTER_KEY, MASTER_KEY_FILE, 'MASTER_KEY', 'is encrypted with it');
  const keyPepper = readKey(values.KEY_PEPPER, PEPPER_FILE, 'KEY_PEPPER', 'has API keys that are hashed with it');
  const generates = use === 'create' && mistakes.length === 0;
  const opsToken = values.OPS_TOKEN ?? read(TOKEN_FILE, generates);
  const sessionKey = values.SESSION_JWKS === null ? read(SESSION_KEY_FILE, generates) : null;
  return { secrets: { masterKey, keyPepper, opsToken, sessionKey }, mistakes };
}
