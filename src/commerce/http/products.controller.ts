import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { ListPage, Retrieve } from '../../engine/read-models/queries.js';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { IsMetadata } from '../../http/validation/metadata.validator.js';
import { PageQuery } from '../../http/validation/paging.js';
import { OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../identity/caller.js';
import { ArchivePlan, CreateProduct, EditProduct } from '../commands/product.commands.js';
import { ApproveProduct, DenyProduct } from '../commands/review.commands.js';
import { type Interval, INTERVALS } from '../domain/billing-period.js';
import { PLAN_KINDS, type PlanKind, type PlanTerms } from '../domain/payment-plan.js';
import type { ProductContent, ProductStatus } from '../domain/product.js';
import { products, productSchema } from '../projections/products.js';
import { Cents, Currency, ExternalReference, Name } from './validators.js';

const MAX_PLANS = 20;
const DESCRIPTION_CHARACTERS = 20_000;
const REASON_CHARACTERS = 2_000;

class PlanBody {
  @IsIn(PLAN_KINDS)
  kind!: PlanKind;

  @Cents()
  amount_cents!: number;

  @Currency()
  currency!: string;

  @IsOptional()
  @Name()
  name?: string | null;

  @IsOptional()
  @IsIn(INTERVALS)
  interval?: Interval | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(36)
  interval_count?: number | null;

  @IsOptional()
  @IsInt()
  @Min(2)
  @Max(36)
  installments_count?: number | null;
}

class ProductFields {
  @IsOptional()
  @IsString()
  @MaxLength(DESCRIPTION_CHARACTERS)
  description?: string | null;

  @OptionalNotNull()
  @IsMetadata()
  metadata?: Record<string, unknown>;

  @ExternalReference()
  external_reference?: string | null;
}

class CreateProductBody extends ProductFields {
  @Name()
  name!: string;

  @OptionalNotNull()
  @IsArray()
  @ArrayMaxSize(MAX_PLANS)
  @ValidateNested({ each: true })
  @Type(() => PlanBody)
  plans?: PlanBody[];
}

class EditProductBody extends ProductFields {
  @OptionalNotNull()
  @Name()
  name?: string;

  @OptionalNotNull()
  @IsIn(['active', 'inactive'])
  status?: ProductStatus;
}

class DenyProductBody {
  @IsString()
  @Length(1, REASON_CHARACTERS)
  reason!: string;
}

@Controller('v1/commerce/products')
export class ProductsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Operation('Create a product', productSchema)
  async create(@Ctx() context: CallerContext, @Body() { plans = [], ...body }: CreateProductBody) {
    const content = {
      description: null,
      metadata: {},
      externalReference: null,
      name: body.name,
      ...toProductContent(body),
    };
    return {
      data: await this.commands.execute(new CreateProduct(context, { content, plans: plans.map(toPlanTerms) })),
    };
  }

  @Get()
  @Operation('List products', productSchema)
  list(@Ctx() context: CallerContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListPage(products, context, query));
  }

  @Get(':id')
  @Operation('Retrieve a product', productSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(products, context, id)) };
  }

  @Patch(':id')
  @Operation('Edit a product', productSchema)
  async edit(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: EditProductBody) {
    return {
      data: await this.commands.execute(
        new EditProduct(context, { id, content: toProductContent(body), status: body.status ?? null }),
      ),
    };
  }

  @Delete(':id/plans/:plan_id')
  @Operation('Archive a plan', productSchema)
  async archivePlan(@Ctx() context: CallerContext, @Param('id') id: string, @Param('plan_id') planId: string) {
    return { data: await this.commands.execute(new ArchivePlan(context, { id, planId })) };
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Access('reviewer')
  @Operation('Approve a product', productSchema)
  @Rejects('product_not_in_review')
  async approve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new ApproveProduct(context, id)) };
  }

  @Post(':id/deny')
  @HttpCode(200)
  @Access('reviewer')
  @Operation('Deny a product', productSchema)
  @Rejects('product_not_in_review')
  async deny(@Ctx() context: CallerContext, @Param('id') id: string, @Body() { reason }: DenyProductBody) {
    return { data: await this.commands.execute(new DenyProduct(context, id, reason)) };
  }
}

/** Maps only the fields that the body contains. */
function toProductContent({
  name,
  description,
  metadata,
  external_reference,
}: EditProductBody): Partial<ProductContent> {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(metadata !== undefined && { metadata }),
    ...(external_reference !== undefined && { externalReference: external_reference }),
  };
}

function toPlanTerms({
  kind,
  name,
  amount_cents,
  currency,
  interval,
  interval_count,
  installments_count,
}: PlanBody): PlanTerms {
  return {
    kind,
    name: name ?? null,
    amountCents: amount_cents,
    currency,
    interval: interval ?? null,
    intervalCount: interval_count ?? 1,
    installmentsCount: installments_count ?? null,
  };
}
