import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Item, send } from '../api/api';
import { toText } from '../components/format';
import { ProblemAlert } from '../components/problem-alert';
import { save } from '../components/save';

/** Saves the file and the manifest of an export. */
export function DownloadTab({ item }: { readonly item: Item }) {
  const id = toText(item['id']);
  const file = useMutation({
    mutationFn: async () => {
      const response = await send('GET', `/v1/audit/exports/${encodeURIComponent(id)}/file`);
      if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
      save(await response.blob(), `${id}.${toText(item['format'])}`);
    },
  });
  if (item['status'] !== 'completed') return <Text role="status">The export is not complete yet.</Text>;
  const manifest = new Blob([JSON.stringify(item['manifest'], null, 2)], { type: 'application/json' });
  return (
    <Stack>
      <Group>
        <Button onClick={() => file.mutate()} loading={file.isPending}>
          Save the file
        </Button>
        <Button variant="default" onClick={() => save(manifest, `${id}.manifest.json`)}>
          Save the manifest
        </Button>
      </Group>
      {file.isError && <ProblemAlert error={file.error} />}
    </Stack>
  );
}
