import { useQuery } from '@tanstack/react-query';
import { callOperations, type Query } from '../api/api';

const REFRESH_MS = 2_000;

/** Reads a document of the operators' port, again every two seconds. */
export function useOperations<T>(path: string, query: Query = {}) {
  return useQuery({
    queryKey: ['operations', path, query],
    queryFn: ({ signal }) => callOperations<T>('GET', path, { query, signal }),
    refetchInterval: REFRESH_MS,
  });
}
