/** The store's driver refuses a URL that has the right form. */
export class InvalidStoreUrl extends Error {
  constructor(variable: 'EVENT_STORE' | 'MONGODB_URL', reason: string) {
    super(`${variable} cannot be used: ${reason}`);
    this.name = 'InvalidStoreUrl';
  }
}
