/** Identifies a resource in documents and responses. */
export interface Reference<O extends string = string> {
  readonly object: O;
  readonly id: string;
}

export function toReference<O extends string>(object: O, id: string): Reference<O> {
  return { object, id };
}

export function optionalReference<O extends string>(object: O, id: string | null): Reference<O> | null {
  return id === null ? null : { object, id };
}
