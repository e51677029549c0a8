import { Injectable } from '@nestjs/common';
import { Secrets } from '../../engine/encryption/secrets.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { endpointDecider, type EndpointEvent, findSecretId, listSecretIds } from '../domain/endpoint.js';

type SecretEndEvent = Extract<EndpointEvent, { type: 'EndpointDeleted' | 'SecretRotated' }>;

/**
 * Destroys the secret of a deleted endpoint and the secret that a rotation replaced, also after a crash within the
 * command.
 */
@Injectable()
export class DestroySecrets implements Reactor<SecretEndEvent> {
  readonly name = 'destroy-secrets';
  readonly types = typesOf<SecretEndEvent>({ EndpointDeleted: true, SecretRotated: true });

  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
  ) {}

  async react(event: RecordedOf<SecretEndEvent>): Promise<void> {
    const secretId = await this.findUnusedSecret(event);
    if (secretId !== undefined) await this.secrets.destroy(secretId);
  }

  private async findUnusedSecret({ data, revision }: RecordedOf<SecretEndEvent>): Promise<string | undefined> {
    const { endpointId } = data;
    if (!('secretId' in data)) return findSecretId(await this.streams.loadState(endpointDecider, endpointId));
    if (data.replacedId !== undefined) return data.replacedId;
    const history = await this.streams.loadHistory(endpointDecider, endpointId);
    return listSecretIds(history.filter((event) => event.revision < revision)).at(-1);
  }
}
