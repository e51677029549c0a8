import { Button, Group, MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Query } from '../api/api';
import { toLabel } from '../components/format';
import type { Filter } from './resource';

interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly query: Query;
  readonly change: (changes: Query) => void;
}

/** The filters of a list. A change goes to the query string, and starts again at the first page. */
export function Filters({ filters, query, change }: FiltersProps) {
  const restart = { page: undefined, after: undefined };
  const isFiltered = filters.some(({ name }) => query[name] !== undefined);
  return (
    <Group align="end" gap="sm" role="search">
      {filters.map((filter) => (
        <FilterInput
          key={filter.name}
          filter={filter}
          value={query[filter.name]}
          change={(value) => change({ ...restart, [filter.name]: value })}
        />
      ))}
      {isFiltered && (
        <Button
          variant="subtle"
          onClick={() => change({ ...restart, ...Object.fromEntries(filters.map(({ name }) => [name, undefined])) })}
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}

interface FilterInputProps {
  readonly filter: Filter;
  readonly value: string | readonly string[] | undefined;
  readonly change: (value: string | readonly string[] | undefined) => void;
}

function FilterInput({ filter, value, change }: FilterInputProps) {
  const { label, labels, kind, any = 'Any' } = filter;
  const options = filter.options?.map((one) => ({ value: one, label: labels?.[one] ?? toLabel(one) }));
  if (kind === 'several')
    return (
      <MultiSelect
        label={label}
        data={options ?? []}
        value={value === undefined ? [] : [...[value].flat()]}
        placeholder={value === undefined ? any : undefined}
        onChange={change}
        clearable
      />
    );
  if (options !== undefined)
    return (
      <NativeSelect
        label={label}
        data={[{ value: '', label: any }, ...options]}
        value={[value].flat()[0] ?? ''}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  return <TextFilter label={label} isDate={kind === 'date'} value={[value].flat()[0] ?? ''} change={change} />;
}

interface TextFilterProps {
  readonly label: string;
  readonly isDate: boolean;
  readonly value: string;
  readonly change: (value: string) => void;
}

/** Text is applied by Enter or when the field is left, not with every letter. */
function TextFilter({ label, isDate, value, change }: TextFilterProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = () => {
    if (text.trim() !== value) change(text.trim());
  };
  return (
    <TextInput
      label={label}
      type={isDate ? 'date' : 'text'}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}
