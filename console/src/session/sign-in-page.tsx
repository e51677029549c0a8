import { Button, Card, Checkbox, Code, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemAlert } from '../components/problem-alert';
import { getSignInReason } from './session';
import { getSettings } from './settings';
import { SignInNotice } from './sign-in-notice';
import { signIn } from './start-session';

/** Asks for a credential. It never becomes a cookie; it leaves memory when the user signs out or closes the page. */
export function SignInPage() {
  const { surface, oidc } = getSettings();
  const [credential, setCredential] = useState('');
  const [stays, setStays] = useState(false);
  const signingIn = useMutation({ mutationFn: () => signIn(credential.trim(), stays) });
  const reason = getSignInReason();
  const isOperators = surface === 'operators';
  return (
    <Group justify="center" component="main" p="md">
      <Card withBorder w="min(100%, 30rem)" mt="xl" padding="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            signingIn.mutate();
          }}
        >
          <Stack>
            <Title order={1} size="h3">
              {isOperators ? 'Operators’ console' : 'Console'}
            </Title>
            {reason !== null && <SignInNotice reason={reason} />}
            <PasswordInput
              label={isOperators ? 'Operator token' : 'API key'}
              description={isOperators ? 'The value of OPS_TOKEN' : 'A secret key or a read-only key of your business'}
              value={credential}
              onChange={(event) => setCredential(event.currentTarget.value)}
              autoComplete="off"
              required
              data-autofocus
            />
            <Checkbox
              label="Stay signed in after a reload, and in new tabs"
              checked={stays}
              onChange={(event) => setStays(event.currentTarget.checked)}
            />
            {signingIn.isError && <ProblemAlert error={signingIn.error} />}
            <Group>
              <Button type="submit" loading={signingIn.isPending}>
                Sign in
              </Button>
              {oidc !== null && (
                <Button
                  variant="default"
                  onClick={() => void import('./oidc').then(({ startOidc }) => startOidc(oidc))}
                >
                  Sign in with {new URL(oidc.issuer).host}
                </Button>
              )}
            </Group>
            {!isOperators && (
              <Text size="sm">
                On your own machine <Code>npm run ops -- console open</Code> opens this page signed in.
              </Text>
            )}
          </Stack>
        </form>
      </Card>
    </Group>
  );
}
