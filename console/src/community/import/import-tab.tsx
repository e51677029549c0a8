import { Button, FileInput, Stack, Text, Textarea } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ProblemAlert } from '../../components/problem-alert';
import { useSession } from '../../session/session';
import { ColumnChoice } from './column-choice';
import { readCsv } from './csv.ts';
import { decodeFile } from './decode-file.ts';
import { type Columns, findTable, readRows } from './import-rows.ts';
import { Preview } from './preview';
import { Results } from './results';
import { useImport } from './use-import.ts';

/** A file, or pasted text. */
interface Source {
  readonly text: string;
  /** How the file was read; null for pasted text. */
  readonly encoding: string | null;
}

const EMPTY: Source = { text: '', encoding: null };

/** Imports members from a file of comma-separated values: a look at the rows first, then the result of each. */
export function ImportTab({ id }: { readonly id: string }) {
  const [source, setSource] = useState(EMPTY);
  const { reset, ...importing } = useImport(id);
  const session = useSession();
  const choose = (next: Source) => {
    setSource(next);
    reset();
  };
  if (session?.access === 'read_only') return <Text>A read-only key cannot import members.</Text>;
  return (
    <Stack>
      <Text>
        The first line names the columns: email, role, level, points. Other columns stay here. The values are separated
        by a comma, a semicolon or a tab.
      </Text>
      <FileInput
        label="CSV file"
        placeholder="Choose a file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        disabled={importing.isPending}
        onChange={(file) => void (file === null ? choose(EMPTY) : readFile(file).then(choose))}
        clearable
      />
      <Textarea
        label="Or paste the rows"
        autosize
        minRows={4}
        maxRows={12}
        disabled={importing.isPending}
        value={source.encoding === null ? source.text : ''}
        onChange={(event) => choose({ text: event.currentTarget.value, encoding: null })}
      />
      <SourceRows key={source.text} source={source} importing={importing} />
    </Stack>
  );
}

async function readFile(file: File): Promise<Source> {
  return decodeFile(new Uint8Array(await file.arrayBuffer()));
}

interface SourceRowsProps {
  readonly source: Source;
  readonly importing: Omit<ReturnType<typeof useImport>, 'reset'>;
}

/** The rows of the file, or the results once they are sent. */
function SourceRows({ source, importing }: SourceRowsProps) {
  const table = useMemo(() => findTable(readCsv(source.text)), [source]);
  const [columns, setColumns] = useState<Columns>(table.columns);
  const rows = useMemo(() => readRows({ ...table, columns }), [table, columns]);
  const { sending, isPending, error, send, resume } = importing;
  if (table.records.length === 0) return null;
  return (
    <>
      {source.encoding !== null && <Text size="sm">The file was read as {source.encoding}.</Text>}
      {sending === null && <ColumnChoice table={table} columns={columns} choose={setColumns} />}
      {sending === null && columns.email !== null && <Preview rows={rows} send={send} />}
      {error !== null && <ProblemAlert error={error} />}
      {error !== null && !isPending && (
        <Button onClick={resume} w="fit-content">
          Continue the import
        </Button>
      )}
      {sending !== null && <Results sending={sending} all={rows} header={table.header} />}
    </>
  );
}
