import { Secrets } from '../../../src/engine/encryption/secrets.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { Conflict } from '../../../src/kernel/event-store.js';
import { idOf } from '../../../src/kernel/ids.js';
import { Vault } from '../../../src/kernel/vault.js';
import { CreateEndpoint, CreateEndpointHandler } from '../../../src/webhooks/commands/endpoint.commands.js';
import { RotateSecret, RotateSecretHandler } from '../../../src/webhooks/commands/secret-rotation.commands.js';
import { type EndpointCommand, endpointDecider } from '../../../src/webhooks/domain/endpoint.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';

const SETTINGS = {
  url: 'https://receiver.example.com/hook',
  eventTypes: ['*'],
  description: null,
  rateLimitPerSecond: null,
  notificationEmails: [],
  metadata: {},
};

/**
 * Runs the command on the endpoint right after the next secret was stored. Returns a function that returns the id of
 * that secret.
 */
function overtakeNextSecret(
  cluster: WebhooksProcess,
  endpointIdOf: () => string,
  command: (id: string) => EndpointCommand,
): () => string {
  const vault = cluster.get(Vault);
  const put = vault.putIfAbsent.bind(vault);
  let kept = '';
  vault.putIfAbsent = async (id, encrypted) => {
    vault.putIfAbsent = put;
    const answer = await put(id, encrypted);
    kept = id.replace('secret:', '');
    await cluster
      .get(Streams)
      .execute(endpointDecider, endpointIdOf(), command(endpointIdOf()), cluster.createContext());
    return answer;
  };
  return () => kept;
}

describe('The new secret of a refused command', () => {
  let cluster: WebhooksProcess;
  beforeEach(async () => void (cluster = await WebhooksProcess.create()));

  it('is destroyed when the endpoint is deleted during a rotation', async () => {
    const id = await cluster.createEndpoint();
    const kept = overtakeNextSecret(
      cluster,
      () => id,
      () => ({ type: 'DeleteEndpoint' }),
    );

    await expect(
      cluster.get(RotateSecretHandler).execute(new RotateSecret(cluster.createContext(), { endpointId: id })),
    ).rejects.toThrow('not_found');
    expect(kept()).toMatch(/^sec_/);
    expect(await cluster.get(Secrets).read(kept())).toBeNull();
  });

  it('is destroyed when the endpoint is abandoned during its creation', async () => {
    const context = cluster.createContext();
    const id = idOf('whs', context.at, context.commandId);
    const kept = overtakeNextSecret(
      cluster,
      () => id,
      (endpointId) => ({ type: 'AbandonEndpoint', endpointId }),
    );

    const creation = cluster
      .get(CreateEndpointHandler)
      .execute(new CreateEndpoint(context, { settings: SETTINGS, status: 'enabled' }));
    await expect(creation).rejects.toThrow('concurrent_update');
    expect(kept()).toMatch(/^sec_/);
    expect(await cluster.get(Secrets).read(kept())).toBeNull();
  });

  it('is kept after too many write conflicts, so that a repetition of the rotation finds it', async () => {
    const id = await cluster.createEndpoint();
    const context = cluster.createContext();
    const rotation = new RotateSecret(context, { endpointId: id });
    cluster.events.append = (_stream, revision) => Promise.reject(new Conflict('another command', revision, revision));
    const refused = expect(cluster.get(RotateSecretHandler).execute(rotation)).rejects.toThrow('concurrent_update');
    await cluster.clock.advance(1_000);
    await refused;
    expect(await cluster.get(Secrets).read(idOf('sec', context.at, context.commandId))).toMatch(/^whsec_/);
  });
});
