import { Rejection } from '../kernel/rejection.js';

/** The port through which the community area reads products. `processes` implements it with the commerce area. */
export abstract class ProductLookup {
  abstract isLiveProductOf(productId: string, businessId: string): Promise<boolean>;

  /** Requires a live product of the business; null is allowed. @throws Rejection validation_failed */
  async requireProduct(productId: string | null, businessId: string | null): Promise<void> {
    if (productId === null) return;
    if (businessId === null || !(await this.isLiveProductOf(productId, businessId)))
      throw Rejection.unknownReference('product_id');
  }
}
