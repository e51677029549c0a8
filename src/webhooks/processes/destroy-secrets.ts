import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Secrets } from '../../engine/sealing/secrets.js';
import { Streams } from '../../engine/streams/streams.js';
import type { EventOf } from '../../kernel/projection.js';
import { endpoint, secretIdOf, secretIdsIn, type EndpointEvent } from '../domain/endpoint.js';

type EndOfSecret = EventOf<EndpointEvent, 'EndpointDeleted' | 'SecretRotated'>;

/**
 * Destroys the secret of a deleted endpoint and the secret that a rotation replaced, also after a crash within the
 * command.
 */
@Injectable()
export class DestroySecrets implements Reactor {
  readonly name = 'destroy-secrets';
  readonly types = ['EndpointDeleted', 'SecretRotated'];

  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
  ) {}

  async react(event: EndOfSecret): Promise<void> {
    const secretId = await this.unusedSince(event);
    if (secretId !== undefined) await this.secrets.destroy(secretId);
  }

  private async unusedSince({ data, revision }: EndOfSecret): Promise<string | undefined> {
    const { endpointId } = data;
    if (!('secretId' in data)) return secretIdOf(await this.streams.state(endpoint, endpointId));
    if (data.replacedId !== undefined) return data.replacedId;
    const history = await this.streams.history(endpoint, endpointId);
    return secretIdsIn(history.filter((event) => event.revision < revision)).at(-1);
  }
}
