/** An address that looks like one, and that the store's own driver does not take. */
export class WrongAddress extends Error {
  constructor(variable: 'EVENT_STORE' | 'MONGODB_URL', why: string) {
    super(`${variable} cannot be used: ${why}`);
    this.name = 'WrongAddress';
  }
}
