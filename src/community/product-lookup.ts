/** The port through which the community area reads products. `processes` implements it with the commerce area. */
export abstract class ProductLookup {
  /** Returns whether the product is a live product of the business. */
  abstract isLiveProductOf(productId: string, businessId: string): Promise<boolean>;
}
