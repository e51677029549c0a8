import { Button, Group, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table';
import { toText } from '../../components/format';
import { AddressCell } from './address-cell';
import type { ImportRow } from './import-rows.ts';
import { countRows, describeShown, SHOWN_ROWS } from './shown-rows.ts';

interface PreviewProps {
  readonly rows: readonly ImportRow[];
  readonly send: (rows: readonly ImportRow[]) => void;
}

/** Shows what would be sent, and sends it. */
export function Preview({ rows, send }: PreviewProps) {
  const good = rows.filter(({ mistake }) => mistake === null);
  const bad = rows.filter(({ mistake }) => mistake !== null);
  return (
    <>
      <Text role="status">
        {countRows(good.length)} can be sent, {bad.length} {bad.length === 1 ? 'has' : 'have'} a mistake.
      </Text>
      <Group>
        <Button onClick={() => send(good)} disabled={good.length === 0}>
          Import {countRows(good.length)}
        </Button>
        {bad.length > 0 && (
          <Button variant="default" onClick={() => send(rows)}>
            Send all rows, with the mistakes
          </Button>
        )}
      </Group>
      <Text size="sm">{describeShown(rows.length, 'rows with a mistake')}</Text>
      <DataTable
        label="Rows of the file"
        columns={['Line', 'E-mail', 'Role', 'Level', 'Points']}
        rows={[...bad, ...good].slice(0, SHOWN_ROWS).map((row) => ({
          key: String(row.line),
          cells: [
            row.line,
            <AddressCell key="email" row={row} note={row.mistake ?? ''} />,
            toText(row.member['role']),
            toText(row.member['level']),
            toText(row.member['points']),
          ],
        }))}
      />
    </>
  );
}
