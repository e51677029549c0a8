import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { Secrets } from '../../engine/encryption/secrets.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import type { Context } from '../../kernel/context.js';
import { type EncryptedField, normaliseEmail } from '../../kernel/encrypted-field.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { AddressPolicy } from '../delivery/address-policy.js';
import { generateSecret } from '../delivery/signature.js';
import { endpointDecider, type EndpointStatus } from '../domain/endpoint.js';
import type { EndpointSettings } from '../domain/endpoint-settings.js';
import { type EndpointDocument, endpoints } from '../projections/endpoints.js';
import { EndpointRecords } from '../queries/endpoint-records.js';
import { EndpointQuotaSteps } from './endpoint-quota.steps.js';
import { destroyIfRefused } from './new-secret.js';

/** Only the run that created the secret returns it; otherwise `secret` is null. */
export interface EndpointWithSecret {
  readonly document: EndpointDocument;
  readonly secret: string | null;
}

/** The settings as a caller gives them, with readable addresses. */
export type GivenSettings = Omit<EndpointSettings, 'notificationEmails'> & {
  readonly notificationEmails: readonly string[];
};

interface Creation {
  readonly settings: GivenSettings;
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
    private readonly personal: PersonalFields,
  ) {}

  async execute({ context, params: { settings, status } }: CreateEndpoint): Promise<EndpointWithSecret> {
    const endpointId = idOf('whs', context.at, context.commandId);
    const secretId = secretIdOf(context);
    const notificationEmails = await encryptAddresses(settings.notificationEmails, this.personal);
    const facts = {
      ...settings,
      notificationEmails,
      endpointId,
      businessId: requireBusiness(context),
      mode: context.mode,
      secretId,
    };
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
  readonly changes: Partial<GivenSettings>;
  readonly status: EndpointStatus | null;
}

export class EditEndpoint extends ContextCommand<Edit, EndpointDocument> {}

@CommandHandler(EditEndpoint)
export class EditEndpointHandler implements ICommandHandler<EditEndpoint> {
  constructor(
    private readonly owned: OwnedStreams,
    private readonly addresses: AddressPolicy,
    private readonly records: EndpointRecords,
    private readonly personal: PersonalFields,
  ) {}

  async execute({ context, params: { id, changes: given, status } }: EditEndpoint): Promise<EndpointDocument> {
    assertAllowedUrl(given, this.addresses);
    const { notificationEmails: emails, ...others } = given;
    const changes = { ...others, ...(emails && { notificationEmails: await encryptAddresses(emails, this.personal) }) };
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

/** Encrypts each address once, in its first spelling. */
async function encryptAddresses(
  emails: readonly string[],
  personal: PersonalFields,
): Promise<readonly EncryptedField[]> {
  const all = await Promise.all(emails.map((email) => personal.encryptEmail(normaliseEmail(email))));
  return all.filter(({ hash }, i) => all.findIndex((one) => one.hash === hash) === i);
}

/** @throws Rejection `url_not_allowed` when this deployment must not call the URL */
function assertAllowedUrl({ url }: Partial<GivenSettings>, addresses: AddressPolicy): void {
  const problem = url === undefined ? null : addresses.findUrlError(url);
  if (problem !== null) throw new Rejection('url_not_allowed', problem, 'url');
}

function secretIdOf({ at, commandId }: Context): string {
  return idOf('sec', at, commandId);
}

export const endpointHandlers = [CreateEndpointHandler, EditEndpointHandler, DeleteEndpointHandler];
