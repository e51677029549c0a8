/** The name that the model gives a resource before it knows its id. */
export class Name {
  constructor(readonly key: string) {}
}

/** A value that the contract leaves open. */
export class Open {
  constructor(readonly allows: (value: unknown) => boolean) {}
}

/** An expected JSON value. */
export type Template =
  null | string | number | boolean | Name | Open | readonly Template[] | { readonly [field: string]: Template };

export type Fields = Readonly<Record<string, Template>>;

export const SOME_TEXT = new Open((value) => typeof value === 'string' && value !== '');

export function nameOf(key: string): Name {
  return new Name(key);
}

/** Returns a reference to a named resource; null stays null. */
export function refer(object: string, key: string | null): Template {
  return key === null ? null : { object, id: new Name(key) };
}
