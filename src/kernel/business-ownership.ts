/** Knows the owner of each business. */
export abstract class BusinessOwnership {
  abstract isOwner(userId: string, businessId: string): Promise<boolean>;
  /** Returns the id of the user, or null for an unknown business. */
  abstract findOwner(businessId: string): Promise<string | null>;
}
