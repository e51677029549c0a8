import { CommandLine } from './command-line.js';
import type { ServiceProcess } from './service-process.js';

/** Of a business of the user `owner`: the first one, and on the real stores, where a start makes none, one that an operator makes. */
export async function ownersKey(service: ServiceProcess): Promise<string> {
  const { env, dataDir } = service;
  if (env.EVENT_STORE === undefined) return service.firstKey;
  const ops = new CommandLine(dataDir, env);
  const { business } = await ops.document('businesses create --name Acme --owner-sub owner --owner-email owner@example.com');
  return (await ops.document(`keys create --business ${business.id} --mode live --access full`)).secret;
}
