import { Alert, Button, List, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { type Check, checkSignature } from './check-signature';

/** Checks a signature in the browser and says which part does not fit. The secret never leaves this page. */
export function SignaturePage() {
  const [secret, setSecret] = useState('');
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const [checks, setChecks] = useState<readonly Check[] | null>(null);
  return (
    <Stack>
      <Title order={1} size="h3">
        Check a signature
      </Title>
      <Text>The check runs in this page. Nothing is sent.</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void checkSignature(secret.trim(), headers, body, Date.now()).then(setChecks);
        }}
      >
        <Stack>
          <TextInput
            label="Signing secret"
            placeholder="whsec_…"
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
            autoComplete="off"
            required
          />
          <Textarea
            label="Headers of the request, one per line"
            placeholder={'X-Service-Signature: t=1769851800,v1=…'}
            autosize
            minRows={3}
            value={headers}
            onChange={(event) => setHeaders(event.currentTarget.value)}
            required
          />
          <Textarea
            label="Body, byte by byte as it came"
            autosize
            minRows={4}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
          <Button type="submit" w="fit-content">
            Check
          </Button>
        </Stack>
      </form>
      {checks !== null && <Result checks={checks} />}
    </Stack>
  );
}

function Result({ checks }: { readonly checks: readonly Check[] }) {
  const isGood = checks.every(({ fits }) => fits);
  return (
    <Alert
      color={isGood ? 'green' : 'red'}
      variant="outline"
      title={isGood ? 'The signature fits' : 'The signature does not fit'}
      role="status"
    >
      <List size="sm">
        {checks.map(({ part, fits, detail }) => (
          <List.Item key={part}>
            <b>{part}</b>: {fits ? 'fits' : 'does not fit'}. {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
