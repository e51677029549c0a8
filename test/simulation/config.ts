import type { Config } from '../../src/config/config.js';
import { readTestConfig } from '../webhooks/test-config.js';

/** Reads a configuration with short retries, so that a run is short. */
export function readSimulationConfig(): Promise<Config> {
  return readTestConfig({ WEBHOOK_RETRY_SCHEDULE: '1,2', WEBHOOK_BREAKER_WAITS: '1,2', WEBHOOK_TIMEOUT_MS: '1000' });
}
