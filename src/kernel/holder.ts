/** Under which name this process takes leases: its id, when it began, and something of its own. */
export class Holder {
  constructor(readonly name: string) {}
}
