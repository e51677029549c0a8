import type { Config } from '../../src/config.js';
import { generatedSessionKey } from '../../src/generated.js';
import { DevelopmentTokens } from '../../src/identity/development-tokens.js';
import { SystemClock } from '../../src/kernel/clock.js';

/** Signs with the pair of the data directory: the service's own, or the one that stands for a provider's. */
export function tokensOf({ session, dataDir }: Config): DevelopmentTokens {
  const keys = { development: generatedSessionKey(dataDir) };
  return new DevelopmentTokens({ session: { ...session, keys } } as Config, new SystemClock());
}
