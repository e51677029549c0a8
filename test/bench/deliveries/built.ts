/** A module of the service as it was built: the sources cannot be run as they are. */
export async function importBuilt<M>(path: string): Promise<M> {
  return (await import(new URL(`../../../dist/${path}`, import.meta.url).href)) as M;
}
