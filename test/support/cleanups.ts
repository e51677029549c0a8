type Close = () => unknown;

const open = new Set<Close>();

/**
 * Registers a cleanup for the end of the spec file, unless `cancel` is called first: a test that fails half-way closes
 * nothing, and Jest would wait without end.
 */
export function closeAfterSpec(close: Close): { readonly cancel: () => void } {
  open.add(close);
  return { cancel: () => void open.delete(close) };
}

/** Runs the registered cleanups. The test environment calls this after each spec file. */
export async function runCleanups(): Promise<void> {
  const left = [...open];
  open.clear();
  await Promise.allSettled(left.map(async (close) => close()));
}
