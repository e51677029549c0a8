import type { ConsistencyContext } from '../../kernel/context.js';
import type { Projection } from '../../kernel/projection.js';
import type { Where } from '../../kernel/read-models.js';
import type { ReadModelReader, SliceRequest, SliceResult } from './read-model-reader.js';

/** Reads a whole list, slice by slice. The next slice is read when the caller asks for it. */
export async function* readSlices<D extends object, W extends Where>(
  reader: ReadModelReader,
  projection: Projection<D>,
  request: Omit<SliceRequest<D, W>, 'after'>,
  progress: ConsistencyContext,
): AsyncGenerator<readonly D[], void, undefined> {
  let after: string | null = null;
  do {
    const { data, pagination }: SliceResult<D> = await reader.getSlice(projection, { ...request, after }, progress);
    yield data;
    after = pagination.next_cursor;
  } while (after !== null);
}
