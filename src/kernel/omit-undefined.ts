type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the fields that are not undefined, such as the ones that a request body contains. */
export function omitUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
