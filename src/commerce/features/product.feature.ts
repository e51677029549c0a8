import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { Amounts } from '../commands/amounts.steps.js';
import { Plans } from '../commands/plans.steps.js';
import { productHandlers } from '../commands/product.commands.js';
import { Products } from '../commands/products.steps.js';
import { paymentPlanDecider } from '../domain/payment-plan.js';
import { productDecider } from '../domain/product.js';
import { ProductFilesController } from '../http/product-files.controller.js';
import { ProductReviewsController } from '../http/product-reviews.controller.js';
import { ProductsController } from '../http/products.controller.js';
import { RegisterPlans } from '../processes/register-plans.js';
import { ReviewProducts } from '../processes/review-products.js';
import { products, productSchema } from '../projections/products.js';
import { ListProductReviewsHandler } from '../queries/product-review.queries.js';

const product = createAuditedResource('product', products);

export const productFeature: Feature = {
  streams: [auditStream(productDecider, product), auditStream(paymentPlanDecider, nameByKey(product, 'productId'))],
  projections: [products],
  publicEvents: [
    publish({
      fact: 'ProductApproved',
      type: 'product.approved',
      summary: 'A product was approved',
      description: 'A reviewer approved the product, so buyers can buy it.',
      projection: products,
      schema: productSchema,
      change: true,
    }),
    publish({
      fact: 'ProductDenied',
      type: 'product.denied',
      summary: 'A product was denied',
      description: 'A reviewer denied the product or its changes.',
      projection: products,
      schema: productSchema,
      change: true,
    }),
    publish({
      fact: 'ProductReviewRequested',
      type: 'product.review_requested',
      summary: 'A product waits for review',
      description: 'A product was created, or changed in a way that needs another review.',
      projection: products,
      schema: productSchema,
      change: true,
    }),
    publish({
      fact: 'ProductEdited',
      also: [
        'ProductImageAdded',
        'ProductImageRemoved',
        'ProductAttachmentAdded',
        'ProductAttachmentRemoved',
        'PlanAdded',
        'PlanArchived',
      ],
      type: 'product.updated',
      summary: 'A product was changed',
      description: 'The content, the plans, the images or the attachments of a product changed.',
      projection: products,
      schema: productSchema,
      change: true,
    }),
  ],
  controllers: [ProductsController, ProductFilesController, ProductReviewsController],
  providers: [Products, Plans, Amounts, ...productHandlers, ListProductReviewsHandler],
  reactors: [RegisterPlans, ReviewProducts],
};
