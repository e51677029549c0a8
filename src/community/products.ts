/** What the community asks of commerce; answered where areas meet, in `processes`. */
export abstract class Products {
  /** Whether a live product is the business's own. */
  abstract belongs(productId: string, businessId: string): Promise<boolean>;
}
