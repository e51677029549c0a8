import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Secrets } from '../../engine/encryption/secrets.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { AddressPolicy } from '../delivery/address-policy.js';
import { generateSecret } from '../delivery/signature.js';
import { endpointDecider, type EndpointSettings, type EndpointStatus } from '../domain/endpoint.js';
import { type EndpointDocument, endpoints } from '../projections/endpoints.js';
import { EndpointRecords } from '../queries/endpoint-records.js';
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
    const endpointId = idOf('whs', context.at, context.commandId);
    const secretId = secretIdOf(context);
    const facts = { ...settings, endpointId, businessId: requireBusiness(context), mode: context.mode, secretId };
    let secret: string | null = null;
    const storeSecret = async () => {
      assertAllowedUrl(settings, this.addresses);
      await this.quota.claim(endpointId, context);
      secret = await this.secrets.store(secretId, generateSecret());
      return { type: 'CreateEndpoint', status, ...facts } as const;
    };
    const outcome = await this.streams
      .execute(endpointDecider, endpointId, storeSecret, context)
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
    private readonly records: EndpointRecords,
  ) {}

  async execute({ context, params: { id, changes, status } }: EditEndpoint): Promise<EndpointDocument> {
    assertAllowedUrl(changes, this.addresses);
    const command = { type: 'EditEndpoint', changes, status } as const;
    return this.records.complete(await this.owned.edit(endpointDecider, endpoints, id, command, context));
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
    private readonly records: EndpointRecords,
  ) {}

  /** Returns the endpoint as it was before the deletion. */
  async execute({ context, params: { id } }: DeleteEndpoint): Promise<EndpointDocument> {
    const { secretId, settings } = await this.owned.require(endpointDecider, id, context);
    const activity = await this.records.findActivity({ id, url: settings.url });
    const outcome = await this.streams.execute(endpointDecider, id, { type: 'DeleteEndpoint' }, context);
    await this.quota.release(id, context);
    await this.secrets.destroy(secretId);
    const before = (await outcome.loadHistory()).filter(({ type }) => type !== 'EndpointDeleted');
    return { ...render(endpoints, id, before), ...activity };
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
