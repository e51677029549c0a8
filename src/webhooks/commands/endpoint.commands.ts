import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Secrets } from '../../engine/encryption/secrets.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../identity/caller.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { AddressPolicy } from '../delivery/address-policy.js';
import { generateSecret } from '../delivery/signature.js';
import { endpointDecider, type EndpointSettings, type EndpointStatus } from '../domain/endpoint.js';
import { type EndpointDocument, endpoints } from '../projections/endpoints.js';
import { addLastDelivery, findLastDelivery } from '../queries/endpoint.queries.js';
import { EndpointQuotaSteps } from './endpoint-quota.steps.js';
import { destroyIfRefused } from './new-secret.js';

/** Only the run that created the secret returns it; otherwise `secret` is null. */
export interface EndpointWithSecret {
  readonly document: EndpointDocument;
  readonly secret: string | null;
}

interface Creation {
  readonly settings: EndpointSettings;
  readonly status: EndpointStatus;
}

export class CreateEndpoint extends ContextCommand<Creation, EndpointWithSecret> {}

@CommandHandler(CreateEndpoint)
export class CreateEndpointHandler implements ICommandHandler<CreateEndpoint> {
  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
    private readonly quota: EndpointQuotaSteps,
    private readonly addresses: AddressPolicy,
  ) {}

  async execute({ context, params: { settings, status } }: CreateEndpoint): Promise<EndpointWithSecret> {
    assertAllowedUrl(settings, this.addresses);
    const endpointId = idOf('whs', context.at, context.commandId);
    await this.quota.claim(endpointId, context);

    const secretId = secretIdOf(context);
    const secret = await this.secrets.store(secretId, generateSecret());
    const facts = { ...settings, endpointId, businessId: requireBusiness(context), mode: context.mode, secretId };
    const outcome = await this.streams
      .execute(endpointDecider, endpointId, { type: 'CreateEndpoint', status, ...facts }, context)
      .catch((error: unknown) => destroyIfRefused(error, secretId, endpointId, this.streams, this.secrets));
    return { document: await outcome.render(endpoints, endpointId), secret: outcome.repeated ? null : secret };
  }
}

interface Edit {
  readonly id: string;
  readonly changes: Partial<EndpointSettings>;
  readonly status: EndpointStatus | null;
}

export class EditEndpoint extends ContextCommand<Edit, EndpointDocument> {}

@CommandHandler(EditEndpoint)
export class EditEndpointHandler implements ICommandHandler<EditEndpoint> {
  constructor(
    private readonly owned: OwnedStreams,
    private readonly addresses: AddressPolicy,
    private readonly reader: ReadModelReader,
  ) {}

  async execute({ context, params: { id, changes, status } }: EditEndpoint): Promise<EndpointDocument> {
    assertAllowedUrl(changes, this.addresses);
    const command = { type: 'EditEndpoint', changes, status } as const;
    return addLastDelivery(this.reader, await this.owned.edit(endpointDecider, endpoints, id, command, context));
  }
}

export class DeleteEndpoint extends ContextCommand<{ id: string }, EndpointDocument> {}

@CommandHandler(DeleteEndpoint)
export class DeleteEndpointHandler implements ICommandHandler<DeleteEndpoint> {
  constructor(
    private readonly streams: Streams,
    private readonly owned: OwnedStreams,
    private readonly secrets: Secrets,
    private readonly quota: EndpointQuotaSteps,
    private readonly reader: ReadModelReader,
  ) {}

  /** Returns the endpoint as it was before the deletion. */
  async execute({ context, params: { id } }: DeleteEndpoint): Promise<EndpointDocument> {
    const { secretId } = await this.owned.require(endpointDecider, id, context);
    const lastDelivery = await findLastDelivery(this.reader, id);
    const outcome = await this.streams.execute(endpointDecider, id, { type: 'DeleteEndpoint' }, context);
    await this.quota.release(id, context);
    await this.secrets.destroy(secretId);
    const before = (await outcome.loadHistory()).filter(({ type }) => type !== 'EndpointDeleted');
    return { ...render(endpoints, id, before), ...lastDelivery };
  }
}

/** @throws Rejection `url_not_allowed` when this deployment must not call the URL */
function assertAllowedUrl({ url }: Partial<EndpointSettings>, addresses: AddressPolicy): void {
  const problem = url === undefined ? null : addresses.findUrlError(url);
  if (problem !== null) throw new Rejection('url_not_allowed', problem, 'url');
}

function secretIdOf({ at, commandId }: Context): string {
  return idOf('sec', at, commandId);
}

export const endpointHandlers = [CreateEndpointHandler, EditEndpointHandler, DeleteEndpointHandler];
