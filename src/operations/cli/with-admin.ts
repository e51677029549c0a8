import type { AdminCommands } from './admin-commands.js';
import { withService } from './cli.js';

/** Runs the work with the admin commands. The service may run. */
export function withAdmin<T>(work: (admin: AdminCommands) => Promise<T>): Promise<T> {
  return withService(async (service) => work(new (await import('./admin-commands.js')).AdminCommands(service)));
}
