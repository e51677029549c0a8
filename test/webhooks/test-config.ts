import { rmSync } from 'node:fs';
import { type Config, readConfig } from '../../src/config/config.js';
import { createTempFolder } from '../support/service.js';
import type { Environment } from '../support/service-process.js';

/** Returns the config of the service for this environment, for tests of a part of the service. */
export async function readTestConfig(environment: Environment = {}): Promise<Config> {
  const folder = await createTempFolder();
  const { config } = readConfig({ DATA_DIR: folder, ...environment });
  rmSync(folder, { recursive: true });
  return config;
}
