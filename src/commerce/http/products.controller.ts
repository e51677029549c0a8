import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { ListPage, Retrieve } from '../../engine/read-models/queries.js';
import { Edit } from '../../engine/streams/edit.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { IsMetadata } from '../../http/validation/metadata.validator.js';
import { ClosedSet, PageQuery } from '../../http/validation/paging.js';
import { OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { toCondition } from '../../kernel/conditions.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { AddPlan, CreateProduct } from '../commands/product.commands.js';
import { type Interval, INTERVALS } from '../domain/billing-period.js';
import { MAX_PLANS, PLAN_KINDS, type PlanKind, type PlanTerms } from '../domain/payment-plan.js';
import { productDecider } from '../domain/product.js';
import {
  APPROVAL_STATUSES,
  PRODUCT_STATUSES,
  type ProductContent,
  type ProductStatus,
} from '../domain/product-events.js';
import { products, productSchema } from '../projections/products.js';
import { IsCents, IsCurrencyInUse, IsDisplayName, IsExternalReference } from './validators.js';

const DESCRIPTION_CHARACTERS = 20_000;

class PlanBody {
  @Describe(
    'Whether the plan is charged once (`one_time`), at each interval until it ends (`subscription`), or in a fixed number of parts (`installment`).',
  )
  @IsIn(PLAN_KINDS)
  kind!: PlanKind;

  @Describe('The price of one charge in cents: the whole price, that of one period, or that of one part.')
  @IsCents()
  amount_cents!: number;

  @Describe('The currency of the price, which must be in use as money.')
  @IsCurrencyInUse()
  currency!: string;

  @Describe('The name by which buyers distinguish the plan; null for none.', 'Monthly')
  @IsOptional()
  @IsDisplayName()
  name?: string | null;

  @Describe(
    'The unit of the time between two charges; null for a plan that is charged once, and required for every other.',
  )
  @IsOptional()
  @IsIn(INTERVALS)
  interval?: Interval | null;

  @Describe(
    'The number of intervals between two charges, 1 by default; only 1 or null for a plan that is charged once.',
  )
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(36)
  interval_count?: number | null;

  @Describe('The number of parts, with the one at checkout; required for a plan in parts, and null for every other.')
  @IsOptional()
  @IsInt()
  @Min(2)
  @Max(36)
  installments_count?: number | null;
}

class ProductFields {
  @Describe('The text about the product; null removes it.', 'A course in twelve lessons.')
  @IsOptional()
  @IsString()
  @MaxLength(DESCRIPTION_CHARACTERS)
  description?: string | null;

  @Describe('The values to store with the product, instead of all earlier ones.')
  @OptionalNotNull()
  @IsMetadata()
  metadata?: Record<string, unknown>;

  @Describe('The id of the product in another system; null removes it.', 'course-12')
  @IsExternalReference()
  external_reference?: string | null;
}

class CreateProductBody extends ProductFields {
  @Describe('The name of the product.')
  @IsDisplayName()
  name!: string;

  @Describe('The plans by which the product is sold; more can be added later.')
  @OptionalNotNull()
  @IsArray()
  @ArrayMaxSize(MAX_PLANS)
  @ValidateNested({ each: true })
  @Type(() => PlanBody)
  plans?: PlanBody[];
}

class EditProductBody extends ProductFields {
  @Describe('The name of the product.')
  @OptionalNotNull()
  @IsDisplayName()
  name?: string;

  @Describe('Whether the product is to be on sale once it is approved (`active`) or not (`inactive`).')
  @OptionalNotNull()
  @IsIn(PRODUCT_STATUSES)
  status?: ProductStatus;
}

class ProductsQuery extends PageQuery {
  @Describe('Shows only products with one of these statuses.')
  @ClosedSet(PRODUCT_STATUSES)
  status?: string[];

  @Describe('Shows only products with one of these results of their review.')
  @ClosedSet(APPROVAL_STATUSES)
  approval_status?: string[];
}

@Controller('v1/commerce/products')
export class ProductsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost()
  @Operation('Create a product', productSchema, {
    about: 'A new product waits for a review, and can be bought once it is approved.',
  })
  @Rejects('amount_not_supported')
  async create(@Ctx() context: CallerContext, @Body() { plans = [], ...body }: CreateProductBody) {
    const defaults = { description: null, metadata: {}, externalReference: null, name: body.name };
    const content = { ...defaults, ...toProductContent(body) };
    const command = new CreateProduct(context, { content, plans: plans.map(toPlanTerms) });
    return { data: await this.commands.execute(command) };
  }

  @Get()
  @Operation('List products', productSchema)
  list(@Ctx() context: CallerContext, @Query() query: ProductsQuery) {
    return this.queries.execute(new ListPage(products, context, query, toFilter(query)));
  }

  @Get(':id')
  @Operation('Retrieve a product', productSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(products, context, id)) };
  }

  @Patch(':id')
  @Operation('Edit a product', productSchema, {
    about:
      'An approved product changes at once and stays approved. Any other product becomes inactive and waits for a review.',
  })
  async edit(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: EditProductBody) {
    const edit = { type: 'EditProduct', content: toProductContent(body), status: body.status ?? null } as const;
    return { data: await this.commands.execute(new Edit(productDecider, products, context, id, edit)) };
  }

  @KeyedPost(':id/plans')
  @Operation('Add a plan to a product', productSchema, {
    about: 'The terms of a plan never change: for another price, add another plan.',
  })
  @Rejects('amount_not_supported')
  async addPlan(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: PlanBody) {
    return { data: await this.commands.execute(new AddPlan(context, { id, terms: toPlanTerms(body) })) };
  }

  @Delete(':id/plans/:plan_id')
  @Operation('Archive a plan', productSchema, {
    about: 'The plan can no longer be bought. Subscriptions that use it continue.',
  })
  async archivePlan(@Ctx() context: CallerContext, @Param('id') id: string, @Param('plan_id') planId: string) {
    const archive = { type: 'ArchivePlan', planId } as const;
    return { data: await this.commands.execute(new Edit(productDecider, products, context, id, archive)) };
  }
}

function toFilter({ status, approval_status }: ProductsQuery) {
  return {
    ...(status && { status: toCondition(status) }),
    ...(approval_status && { approval_status: toCondition(approval_status) }),
  };
}

/** Maps only the fields that the body contains. */
function toProductContent(body: EditProductBody): Partial<ProductContent> {
  const { name, description, metadata, external_reference: externalReference } = body;
  return omitUndefined({ name, description, metadata, externalReference });
}

function toPlanTerms(plan: PlanBody): PlanTerms {
  const { kind, amount_cents: amountCents, currency } = plan;
  return {
    kind,
    name: plan.name ?? null,
    amountCents,
    currency,
    interval: plan.interval ?? null,
    intervalCount: plan.interval_count ?? 1,
    installmentsCount: plan.installments_count ?? null,
  };
}
