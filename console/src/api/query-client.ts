import { QueryClient } from '@tanstack/react-query';

/** Failed requests are shown at once with their problem; the user decides about a repetition. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 2_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
