import { Body, Controller, Get, HttpCode, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsOptional } from 'class-validator';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { PageQuery } from '../../http/validation/paging.js';
import { IsText } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { ReviewProduct } from '../commands/product.commands.js';
import { productSchema } from '../projections/products.js';
import { ListProductReviews } from '../queries/product-review.queries.js';

const REASON_CHARACTERS = 2_000;

class ProductReviewsQuery extends PageQuery {
  @Describe(
    'Always `review`, with the same result as without it: the products in review, and approved ones that changed since theirs.',
  )
  @IsOptional()
  @IsIn(['review'])
  approval_status?: string;
}

class DenyProductBody {
  @Describe('The reason of the denial, which the seller sees as `approval_note`.', 'The description is missing.')
  @IsText(REASON_CHARACTERS)
  reason!: string;
}

/** The operations of the platform's reviewers, on the products of every business and mode. */
@Controller('v1/commerce')
@Access('reviewer')
export class ProductReviewsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('product-reviews')
  @Operation('List the products to review', productSchema, {
    about:
      'Shows the products of all businesses and modes that wait for a review, and approved ones that changed since theirs.',
  })
  list(@Ctx() context: CallerContext, @Query() query: ProductReviewsQuery) {
    return this.queries.execute(new ListProductReviews(context, query));
  }

  @KeyedPost('products/:id/approve')
  @HttpCode(200)
  @Operation('Approve a product', productSchema, {
    about: 'Buyers can buy the product if its seller has set it active.',
  })
  @Rejects('product_not_in_review')
  async approve(@Ctx() context: CallerContext, @Param('id') id: string) {
    const review = { type: 'ApproveProduct' } as const;
    return { data: await this.commands.execute(new ReviewProduct(context, { id, review })) };
  }

  @KeyedPost('products/:id/deny')
  @HttpCode(200)
  @Operation('Deny a product', productSchema, {
    about: 'Buyers cannot buy the product. A change of it asks for another review.',
  })
  @Rejects('product_not_in_review')
  async deny(@Ctx() context: CallerContext, @Param('id') id: string, @Body() { reason }: DenyProductBody) {
    const review = { type: 'DenyProduct', reason } as const;
    return { data: await this.commands.execute(new ReviewProduct(context, { id, review })) };
  }
}
