import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Secrets } from '../../engine/sealing/secrets.js';
import { Streams } from '../../engine/streams/streams.js';
import type { EventOf } from '../../kernel/projection.js';
import { secretIdsIn, endpoint, type EndpointEvent } from '../domain/endpoint.js';

type EndOfSecret = EventOf<EndpointEvent, 'EndpointDeleted' | 'SecretRotated'>;

/** Destroys the secret of a deleted endpoint, and the one that a rotation replaced, also when a crash has cut the command short. */
@Injectable()
export class DestroySecrets implements Reactor {
  readonly name = 'destroy-secrets';
  readonly types = ['EndpointDeleted', 'SecretRotated'];

  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
  ) {}

  async react({ data, revision }: EndOfSecret): Promise<void> {
    const history = await this.streams.history(endpoint, data.endpointId);
    const replaced = secretIdsIn(history.filter((event) => event.revision < revision)).at(-1);
    if (replaced !== undefined) await this.secrets.destroy(replaced);
  }
}
