import type { AdminCommands } from './admin-commands.js';
import { loadConfig, type StoreUse, withService } from './cli.js';

/** Runs the work with the admin commands. The service may run. */
export async function withAdmin<T>(work: (admin: AdminCommands) => Promise<T>, use: StoreUse = {}): Promise<T> {
  return withService(
    async (service) => work(new (await import('./admin-commands.js')).AdminCommands(service)),
    loadConfig(use),
  );
}
