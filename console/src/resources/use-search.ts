import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Query } from '../api/api';

/** The query string of the page, which holds its filters so that the address can be shared. */
export function useQueryString(): readonly [Query, (changes: Query) => void] {
  const query: Query = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: Query) =>
    void navigate({ to: '.', search: () => omitEmpty({ ...query, ...changes }) as never, resetScroll: false });
  return [query, change];
}

function omitEmpty(query: Query): Query {
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== '' && value.length > 0),
  );
}
