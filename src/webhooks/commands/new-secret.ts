import type { Secrets } from '../../engine/encryption/secrets.js';
import type { Streams } from '../../engine/streams/streams.js';
import { Rejection } from '../../kernel/rejection.js';
import { endpointDecider, isEndpointGone } from '../domain/endpoint.js';

/**
 * Rethrows the error of a command that stored a new secret. Destroys the secret when the endpoint is gone and can never
 * use it. Otherwise a repetition of the command can use it.
 */
export async function destroyIfRefused(
  error: unknown,
  secretId: string,
  endpointId: string,
  streams: Streams,
  secrets: Secrets,
): Promise<never> {
  if (error instanceof Rejection && isEndpointGone(await streams.loadState(endpointDecider, endpointId)))
    await secrets.destroy(secretId);
  throw error;
}
