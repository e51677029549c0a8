import { CommandLine } from './command-line.js';
import type { ServiceProcess } from './service-process.js';

/** A live key of a business of the user `owner`: the first business, or, where an identity provider signs people in, one that an operator creates. */
export async function ownersKey(service: ServiceProcess): Promise<string> {
  const { env, dataDir } = service;
  if (env.SESSION_JWKS === undefined) return service.firstKey;
  const ops = new CommandLine(dataDir, env);
  const { business } = await ops.document('businesses create --name Acme --owner-sub owner --owner-email owner@example.com');
  return (await ops.document(`keys create --business ${business.id} --mode live --access full`)).secret;
}
