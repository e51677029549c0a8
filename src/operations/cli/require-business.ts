import type { INestApplicationContext } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { businessDecider } from '../../identity/domain/business.js';
import { CliError } from './cli.js';

/** A mistyped id must not look like a business without data. @throws CliError when the business does not exist */
export async function requireBusinessId(id: string, service: INestApplicationContext): Promise<void> {
  const found = await service.get(Streams, { strict: false }).loadState(businessDecider, id);
  if (found.status === 'unknown') throw new CliError(`there is no business ${id}`);
}
