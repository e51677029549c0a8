import { Button, FileInput, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, type Item } from '../api/api';
import { DataTable } from '../components/data-table';
import { toText } from '../components/format';
import { ProblemAlert } from '../components/problem-alert';
import { StatusBadge } from '../components/status-badge';
import { useSession } from '../session/session';
import { type ImportRow, readMembers, ROWS_MAX } from './read-csv';

/** Imports members from a file of comma-separated values: a look at the rows first, then the result of each. */
export function ImportTab({ id }: { readonly id: string }) {
  const [text, setText] = useState('');
  const rows = useMemo(() => readMembers(text), [text]);
  const queries = useQueryClient();
  const session = useSession();
  const sending = useMutation({
    mutationFn: (sent: readonly ImportRow[]) =>
      call<Item>('POST', `/v1/community/communities/${encodeURIComponent(id)}/members/import`, {
        body: { members: sent.map(({ member }) => member) },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['list'] }),
  });
  if (session?.access === 'read_only') return <Text>A read-only key cannot import members.</Text>;
  return (
    <Stack>
      <Text>
        The first line names the columns: email, role, level. Other columns stay here. At most {ROWS_MAX} rows go out in
        one import.
      </Text>
      <FileInput
        label="CSV file"
        accept=".csv,text/csv"
        onChange={(file) => void file?.text().then(setText)}
        clearable
      />
      <Textarea
        label="Or paste the rows"
        autosize
        minRows={4}
        maxRows={12}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {rows.length > 0 && <SendButtons rows={rows} isSending={sending.isPending} send={sending.mutate} />}
      {sending.isError && <ProblemAlert error={sending.error} />}
      {sending.data === undefined ? <Preview rows={rows} /> : <Results result={sending.data} />}
    </Stack>
  );
}

interface SendButtonsProps {
  readonly rows: readonly ImportRow[];
  readonly isSending: boolean;
  readonly send: (rows: readonly ImportRow[]) => void;
}

function SendButtons({ rows, isSending, send }: SendButtonsProps) {
  const good = rows.filter(({ mistake }) => mistake === null);
  return (
    <>
      <Text role="status">
        {good.length} rows can be sent, {rows.length - good.length} have a mistake.
      </Text>
      <Group>
        <Button onClick={() => send(good)} loading={isSending} disabled={good.length === 0 || good.length > ROWS_MAX}>
          Import {good.length} rows
        </Button>
        <Button variant="default" onClick={() => send(rows)} loading={isSending} disabled={rows.length > ROWS_MAX}>
          Send all rows, with the mistakes
        </Button>
      </Group>
    </>
  );
}

function Preview({ rows }: { readonly rows: readonly ImportRow[] }) {
  if (rows.length === 0) return null;
  return (
    <DataTable
      label="Rows of the file"
      columns={['Line', 'E-mail', 'Role', 'Level', 'Mistake']}
      rows={rows.map(({ line, member, mistake }) => ({
        key: String(line),
        cells: [
          line,
          toText(member['email']),
          toText(member['role']),
          toText(member['level']),
          <b key="mistake">{mistake ?? ''}</b>,
        ],
      }))}
    />
  );
}

function Results({ result }: { readonly result: Item }) {
  const results = result['results'] as readonly Item[];
  return (
    <>
      <Text role="status" fw={600}>
        {toText(result['created'])} created, {toText(result['updated'])} updated, {toText(result['unchanged'])}{' '}
        unchanged, {toText(result['failed'])} failed
      </Text>
      <DataTable
        label="Results"
        columns={['Row', 'E-mail', 'Result', 'Detail']}
        rows={results.map((row, index) => ({
          key: String(index),
          cells: [
            index + 1,
            toText(row['email']),
            <StatusBadge key="status" status={toText(row['status'])} />,
            toText((row['error'] as Item | null)?.['detail']),
          ],
        }))}
      />
    </>
  );
}
