import { Button, Progress, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table';
import { save } from '../../components/save';
import { StatusBadge } from '../../components/status-badge';
import { AddressCell } from './address-cell';
import { writeCsv } from './csv.ts';
import type { ImportRow } from './import-rows.ts';
import { countRows, describeShown, SHOWN_ROWS } from './shown-rows.ts';
import type { RowResult, Sending } from './use-import.ts';

interface ResultsProps {
  readonly sending: Sending;
  /** All rows of the file: those with a mistake may not be sent. */
  readonly all: readonly ImportRow[];
  readonly header: readonly string[] | null;
}

/** The results so far, the failed rows first, and the rows to mend as a file. */
export function Results({ sending: { rows, results }, all, header }: ResultsProps) {
  const failed = results.filter(({ status }) => status === 'failed');
  const others = results.filter(({ status }) => status !== 'failed');
  const faulty = [...listUnsent(all, rows), ...failed].sort((a, b) => a.row.line - b.row.line);
  return (
    <>
      {results.length < rows.length && (
        <Progress value={(100 * results.length) / rows.length} aria-label="Progress of the import" />
      )}
      <Text role="status" fw={600}>
        {summarize(results, faulty.length - failed.length)}
      </Text>
      {results.length < rows.length && (
        <Text size="sm">
          {results.length} of {countRows(rows.length)} are sent.
        </Text>
      )}
      {faulty.length > 0 && (
        <Button variant="default" w="fit-content" onClick={() => save(toFile(faulty, header), 'rows-to-mend.csv')}>
          Save {countRows(faulty.length)} to mend
        </Button>
      )}
      {results.length > 0 && <Text size="sm">{describeShown(results.length, 'failed rows')}</Text>}
      <DataTable
        label="Results"
        columns={['Line', 'E-mail', 'Result']}
        rows={[...failed, ...others].slice(0, SHOWN_ROWS).map(({ row, status, detail }) => ({
          key: String(row.line),
          cells: [
            row.line,
            <AddressCell key="email" row={row} note={detail} />,
            <StatusBadge key="status" status={status} />,
          ],
        }))}
      />
    </>
  );
}

function summarize(results: readonly RowResult[], unsent: number): string {
  const count = (wanted: string) => results.filter(({ status }) => status === wanted).length;
  const counts = ['created', 'updated', 'unchanged', 'failed'].map((status) => `${count(status)} ${status}`);
  return [...counts, ...(unsent > 0 ? [`${unsent} not sent, with a mistake`] : [])].join(', ');
}

/** The rows that stay here because of a mistake. */
function listUnsent(all: readonly ImportRow[], sent: readonly ImportRow[]): RowResult[] {
  const lines = new Set(sent.map(({ line }) => line));
  const unsent = all.filter(({ line }) => !lines.has(line));
  return unsent.map((row) => ({ row, status: 'failed', detail: row.mistake ?? '' }));
}

/** The rows as they were in the file, with what is wrong in a last column. */
function toFile(rows: readonly RowResult[], header: readonly string[] | null): Blob {
  const records = rows.map(({ row, detail }) => [...row.cells, detail]);
  const csv = writeCsv(header === null ? records : [[...header, 'mistake'], ...records]);
  return new Blob([csv], { type: 'text/csv' });
}
