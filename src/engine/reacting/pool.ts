/** Runs `work` on every item, `limit` at a time. After a failure nothing new is begun, and the first failure is thrown at the end. */
export async function eachAtMost<T>(limit: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const rest = items.values();
  const hand = async () => {
    for (const item of rest) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, hand));
  if (failures.length > 0) throw failures[0];
}
