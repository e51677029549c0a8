/** The port through which the community area reads products. `processes` implements it with the commerce area. */
export abstract class ProductLookup {
  abstract isLiveProductOf(productId: string, businessId: string): Promise<boolean>;
}
