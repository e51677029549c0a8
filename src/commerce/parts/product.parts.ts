import type { NounParts } from '../../engine/area-parts.js';
import { Plans } from '../commands/plans.steps.js';
import { productHandlers } from '../commands/product.commands.js';
import { Products } from '../commands/products.steps.js';
import { ProductFilesController } from '../http/product-files.controller.js';
import { ProductReviewsController } from '../http/product-reviews.controller.js';
import { ProductsController } from '../http/products.controller.js';
import { RegisterPlans } from '../processes/register-plans.js';
import { ReviewProducts } from '../processes/review-products.js';
import { ListProductReviewsHandler } from '../queries/product-review.queries.js';

export const productParts: NounParts = {
  controllers: [ProductsController, ProductFilesController, ProductReviewsController],
  providers: [Products, Plans, ...productHandlers, ListProductReviewsHandler],
  reactors: [RegisterPlans, ReviewProducts],
};
