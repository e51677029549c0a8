import { rmSync } from 'node:fs';
import { readConfig, type Config } from '../../src/config.js';
import { freshFolder } from '../support/service.js';
import type { Environment } from '../support/service-process.js';

/** What the service would read from this environment, for a part of it that stands alone. */
export async function configOf(environment: Environment = {}): Promise<Config> {
  const folder = await freshFolder();
  const { config } = readConfig({ DATA_DIR: folder, ...environment });
  rmSync(folder, { recursive: true });
  return config;
}
