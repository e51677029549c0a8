import type { Config } from '../../src/config.js';
import { generatedSessionKey } from '../../src/generated.js';
import { DevelopmentTokens } from '../../src/identity/development-tokens.js';
import { SystemClock } from '../../src/kernel/clock.js';

/** Signs tokens with the key pair of the data directory, which also acts as the identity provider's pair. */
export function tokensOf({ session, dataDir }: Config): DevelopmentTokens {
  const keys = { development: generatedSessionKey(dataDir) };
  return new DevelopmentTokens({ session: { ...session, keys } } as Config, new SystemClock());
}
