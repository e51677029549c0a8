import { collectionOf } from '../../kernel/projection.js';
import type { PublicationSources } from '../../kernel/public-event-definition.js';

/** Returns sources that give the same answer each time, so that two documents completed by them differ only by themselves. */
export function rememberAnswers(sources: PublicationSources): PublicationSources {
  const answers = new Map<string, Promise<unknown>>();
  const remember = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = (answers.get(key) as Promise<T> | undefined) ?? ask();
    answers.set(key, answer);
    return answer;
  };
  return {
    loadState: (decider, id) => remember(`${decider.category}-${id}`, () => sources.loadState(decider, id)),
    readStored: (collection, id) => remember(`${collection}/${id}`, () => sources.readStored(collection, id)),
    readDocument: (projection, id) =>
      remember(`${collectionOf(projection)} ${id}`, () => sources.readDocument(projection, id)),
  };
}
