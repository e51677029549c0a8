import { Alert, Button, FileInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemAlert } from '../components/problem-alert';
import { type Manifest, type Verification, verifyExport } from './verify-export';

/** Verifies an export in the browser; nothing is sent, so it works without a network too. */
export function VerifyPage() {
  const [file, setFile] = useState<File | null>(null);
  const [manifest, setManifest] = useState<File | null>(null);
  const [publicKey, setPublicKey] = useState('');
  const verifying = useMutation({
    mutationFn: async () => {
      const read = JSON.parse(await manifest!.text()) as Manifest;
      if (read.format !== 'ndjson')
        throw new Error('This page verifies NDJSON exports. The command line verifies both formats.');
      return verifyExport(await file!.arrayBuffer(), read, publicKey.trim());
    },
  });
  return (
    <Stack>
      <Title order={1} size="h3">
        Verify an export
      </Title>
      <Text>The check runs in this page. Nothing is sent.</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          verifying.mutate();
        }}
      >
        <Stack>
          <FileInput
            label="Export file"
            accept=".ndjson,application/x-ndjson"
            value={file}
            onChange={setFile}
            required
          />
          <FileInput
            label="Manifest"
            accept=".json,application/json"
            value={manifest}
            onChange={setManifest}
            required
          />
          <TextInput
            label="Public key of the service"
            description="From the page of the hash chain, or from where you keep it. Without it the signature is not checked."
            value={publicKey}
            onChange={(event) => setPublicKey(event.currentTarget.value)}
          />
          <Button
            type="submit"
            w="fit-content"
            disabled={file === null || manifest === null}
            loading={verifying.isPending}
          >
            Verify
          </Button>
        </Stack>
      </form>
      {verifying.isError && <ProblemAlert error={verifying.error} />}
      {verifying.data !== undefined && <Result verification={verifying.data} />}
    </Stack>
  );
}

function Result({ verification: { events, mismatch } }: { readonly verification: Verification }) {
  if (mismatch === null)
    return (
      <Alert color="green" variant="outline" title="The export fits" role="status">
        All {events} events are complete, unchanged and in order.
      </Alert>
    );
  const { line, position, reason } = mismatch;
  return (
    <Alert color="red" variant="outline" title="The export does not fit" role="status">
      {line === null ? 'At the end' : `Line ${line}`}
      {position === null ? '' : `, position ${position}`}: {reason}
    </Alert>
  );
}
