import type { Config } from '../../src/config/config.js';
import { readOrGenerateSessionKey } from '../../src/config/generated-secrets.js';
import { DevelopmentTokens } from '../../src/identity/authentication/development-tokens.js';
import { type Clock, SystemClock } from '../../src/kernel/clock.js';

/** Signs tokens with the key pair of the data directory, which also acts as the identity provider's pair. */
export function createTokens({ session, dataDir }: Config, clock: Clock = new SystemClock()): DevelopmentTokens {
  const keys = { development: readOrGenerateSessionKey(dataDir) };
  return new DevelopmentTokens({ session: { ...session, keys } } as Config, clock);
}
