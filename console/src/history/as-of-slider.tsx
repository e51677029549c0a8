import { Slider, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Item } from '../api/api';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';
import { Time } from '../components/time';
import { type Entry, toWords } from './entry';

interface AsOfSliderProps {
  readonly id: string;
  readonly entries: readonly Entry[];
}

/** Shows the resource as it was after each of its entries. */
export function AsOfSlider({ id, entries }: AsOfSliderProps) {
  const [chosen, setChosen] = useState(entries.length);
  const [wanted, setWanted] = useState(entries.length);
  const entry = entries[wanted - 1] ?? entries.at(-1)!;
  const path = `/v1/audit/resources/${encodeURIComponent(id)}`;
  const resource = useQuery({
    queryKey: ['as-of', path, entry.position],
    queryFn: ({ signal }) => call<Item>('GET', path, { query: { as_of: entry.position }, signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  return (
    <Stack gap="xs">
      <Text fw={600} id="as-of">
        As it was after entry {wanted} of {entries.length}: {toWords(entry.type)}, <Time value={entry.recorded_at} />
      </Text>
      <Slider
        min={1}
        max={Math.max(entries.length, 2)}
        value={chosen}
        onChange={(value) => setChosen(Math.min(value, entries.length))}
        onChangeEnd={(value) => setWanted(Math.min(value, entries.length))}
        thumbLabel="Entry of the history"
        disabled={entries.length === 1}
      />
      {resource.isError && <ProblemAlert error={resource.error} />}
      {resource.data !== undefined && <JsonView label="The resource at that point" value={resource.data} />}
    </Stack>
  );
}
