import { CommandLine } from './command-line.js';
import type { ServiceProcess } from './service-process.js';

/**
 * Returns a live API key of a business of the user `owner`: the key printed at the first start or, with an external
 * identity provider, a key of a business created by an operator.
 */
export async function createOwnerKey(service: ServiceProcess): Promise<string> {
  const { env, dataDir } = service;
  if (env.SESSION_JWKS === undefined) return service.firstKey;
  const ops = new CommandLine(dataDir, env);
  const { business } = await ops.runForDocument(
    'businesses create --name Acme --owner-sub owner --owner-email owner@example.com',
  );
  return (await ops.runForDocument(`keys create --business ${business.id} --mode live --access full`)).secret;
}
