/** The store's driver refuses a URL that has the right form. */
export class WrongAddress extends Error {
  constructor(variable: 'EVENT_STORE' | 'MONGODB_URL', why: string) {
    super(`${variable} cannot be used: ${why}`);
    this.name = 'WrongAddress';
  }
}
