import type { Config } from '../../src/config.js';
import { configOf } from '../webhooks/config.js';

/** Reads a configuration with short retries, so that a run is short. */
export function simulatedConfig(): Promise<Config> {
  return configOf({ WEBHOOK_RETRY_SCHEDULE: '1,2', WEBHOOK_BREAKER_WAITS: '1,2', WEBHOOK_TIMEOUT_MS: '1000' });
}
