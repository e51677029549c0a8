import { Anchor, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ProblemAlert } from '../components/problem-alert';
import { getSettings } from './settings';

/** The page to which the identity provider sends the user back. */
export function SignedInPage() {
  const { oidc } = getSettings();
  const finishing = useQuery({
    queryKey: ['finish-oidc'],
    queryFn: () =>
      oidc === null
        ? Promise.reject(new Error('The service names no identity provider.'))
        : import('./oidc').then(({ finishOidc }) => finishOidc(oidc)),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  useEffect(() => {
    if (finishing.data !== undefined) window.history.replaceState(null, '', finishing.data);
    if (finishing.data !== undefined) window.dispatchEvent(new PopStateEvent('popstate'));
  }, [finishing.data]);
  if (!finishing.isError) return <Loader aria-label="Signing in" />;
  return (
    <Stack p="md">
      <ProblemAlert error={finishing.error} />
      <Anchor href={import.meta.env.BASE_URL}>Sign in again</Anchor>
    </Stack>
  );
}
