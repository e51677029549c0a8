/** Newer code has written to the store: this code would misread its data and could damage it. */
export class NewerStore extends Error {
  constructor(format: number) {
    super(`the store was written by a newer version of the service (${format}): run that version, or a later one`);
    this.name = 'NewerStore';
  }
}
