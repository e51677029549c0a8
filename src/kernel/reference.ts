/** How one resource names another, in documents and answers. */
export interface Reference<O extends string = string> {
  readonly object: O;
  readonly id: string;
}

export function reference<O extends string>(object: O, id: string): Reference<O> {
  return { object, id };
}

/** A reference to what may not be there. */
export function optionalReference<O extends string>(object: O, id: string | null): Reference<O> | null {
  return id === null ? null : { object, id };
}
