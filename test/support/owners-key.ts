import { CommandLine } from './command-line.js';
import type { ServiceProcess } from './service-process.js';

/**
 * Returns a live API key of a business of the user `owner`: the key printed at the first start or, with an external
 * identity provider, a key of a business created by an operator.
 */
export async function ownersKey(service: ServiceProcess): Promise<string> {
  const { env, dataDir } = service;
  if (env.SESSION_JWKS === undefined) return service.firstKey;
  const ops = new CommandLine(dataDir, env);
  const { business } = await ops.document('businesses create --name Acme --owner-sub owner --owner-email owner@example.com');
  return (await ops.document(`keys create --business ${business.id} --mode live --access full`)).secret;
}
