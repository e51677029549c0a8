import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { readEntries } from '../../../engine/builds/catalogue.js';
import { Streams } from '../../../engine/streams/streams.js';
import { createOperatorContext } from '../../../identity/system-context.js';
import { BuildCatalogue } from '../../../kernel/build-catalogue.js';
import { Clock } from '../../../kernel/clock.js';
import type { Context } from '../../../kernel/context.js';
import type { Mode } from '../../../kernel/event.js';
import { toOwnerFilter } from '../../../kernel/ownership.js';
import { buildOf, collectionOf } from '../../../kernel/projection.js';
import { ReadModels } from '../../../kernel/read-models.js';
import { ReplayDelivery } from '../../../webhooks/commands/replay.commands.js';
import { deliveryChainDecider } from '../../../webhooks/domain/delivery-chain/delivery-chain.js';
import { parseDeliveryId } from '../../../webhooks/domain/delivery-id.js';
import { endpointDecider } from '../../../webhooks/domain/endpoint.js';
import { REPLAYABLE_STATUSES } from '../../../webhooks/domain/replay-job.js';
import { deliveries, type DeliveryDocument } from '../../../webhooks/projections/deliveries.js';
import { RetrieveAttempts } from '../../../webhooks/queries/delivery-chain.queries.js';
import { CliError } from '../cli.js';
import { requireBusinessId } from '../require-business.js';

interface DeliverySelection {
  readonly business: string;
  readonly mode: Mode;
  readonly failed: boolean;
  readonly endpoint: string | null;
  readonly limit: number;
}

/**
 * Runs the commands of an operator on deliveries. They are the queries and commands of the HTTP API, run for the owning
 * business.
 */
export class DeliveryAdmin {
  constructor(private readonly service: INestApplicationContext) {}

  /**
   * Returns the newest first, from the read model, which may lag while no service runs.
   * @throws CliError while it has no build; for an unknown business, and for an endpoint that it does not have
   */
  async list({ business, mode, failed, endpoint, limit }: DeliverySelection): Promise<DeliveryDocument[]> {
    await requireBusinessId(business, this.service);
    if (endpoint !== null) await this.requireEndpoint(endpoint, business);
    const active = (await readEntries(this.get(BuildCatalogue))).get(collectionOf(deliveries))?.active ?? null;
    if (active === null) throw new CliError('the read model of deliveries has no build yet: start the service once');
    const where = {
      ...toOwnerFilter({ business, mode }),
      ...(failed && { status: { in: REPLAYABLE_STATUSES } }),
      ...(endpoint !== null && { 'endpoint.id': endpoint }),
    };
    const build = buildOf(collectionOf(deliveries), active);
    return this.get(ReadModels).find<DeliveryDocument>(build, { where, orderBy: 'created_at', limit });
  }

  async show(id: string) {
    const { attempts, next_attempt_at } = await this.get(QueryBus).execute(
      new RetrieveAttempts(await this.createContext(id), { deliveryId: id }),
    );
    return { delivery: attempts.find((attempt) => attempt.id === id)!, attempts, next_attempt_at };
  }

  async replay(id: string): Promise<DeliveryDocument> {
    return this.get(CommandBus).execute(new ReplayDelivery(await this.createContext(id), { deliveryId: id }));
  }

  /** Endpoints that were deleted since have deliveries too. */
  private async requireEndpoint(id: string, business: string): Promise<void> {
    const [created] = await this.get(Streams).loadHistory(endpointDecider, id);
    if (created?.meta.business !== business) throw new CliError(`the business has no endpoint ${id}`);
  }

  private async createContext(id: string): Promise<Context> {
    const deliveryRef = parseDeliveryId(id);
    const found =
      deliveryRef === null ? null : await this.get(Streams).loadState(deliveryChainDecider, deliveryRef.chainId);
    if (found === null || found.status === 'unknown') throw new CliError(`there is no delivery ${id}`);
    return {
      ...createOperatorContext(this.get(Clock).now()),
      business: found.facts.businessId,
      mode: found.facts.mode,
    };
  }

  private get<T>(type: Type<T> | Abstract<T>): T {
    return this.service.get<T>(type, { strict: false });
  }
}
