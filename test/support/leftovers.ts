type Close = () => unknown;

const open = new Set<Close>();

/** Closes this after the spec file, unless `closed` is called before: a test that fails half-way closes nothing, and Jest would wait for ever. */
export function closeAtEnd(close: Close): { readonly closed: () => void } {
  open.add(close);
  return { closed: () => void open.delete(close) };
}

/** Called after each spec file. */
export async function closeLeftovers(): Promise<void> {
  const left = [...open];
  open.clear();
  await Promise.allSettled(left.map(async (close) => close()));
}
