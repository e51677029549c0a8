import type { Secrets } from '../../engine/sealing/secrets.js';
import type { Streams } from '../../engine/streams/streams.js';
import { Rejection } from '../../kernel/rejection.js';
import { endpoint, isOver } from '../domain/endpoint.js';

/**
 * What follows when a command that brings a new secret fails. An endpoint that is over never names the secret: it is destroyed. Otherwise
 * the same command may be repeated, and finds it.
 */
export async function destroyIfRefused(
  error: unknown,
  secretId: string,
  endpointId: string,
  streams: Streams,
  secrets: Secrets,
): Promise<never> {
  if (error instanceof Rejection && isOver(await streams.state(endpoint, endpointId))) await secrets.destroy(secretId);
  throw error;
}
