import { useQuery } from '@tanstack/react-query';
import { call, type Query } from '../api/api';

const REFRESH_MS = 2_000;

/** Reads a document of the operators' port, again every two seconds. */
export function useOperations<T>(path: string, query: Query = {}) {
  return useQuery({
    queryKey: ['operations', path, query],
    queryFn: ({ signal }) => call<T>('GET', path, { query, signal }),
    refetchInterval: REFRESH_MS,
  });
}
