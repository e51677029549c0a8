import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call, type Item } from '../api/api';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';

/** The JSON Schema of an event type, with an example. */
export function EventTypeSchema({ id }: { readonly id: string }) {
  const path = `/v1/webhooks/event-types/${encodeURIComponent(id)}/schema`;
  const schema = useQuery({
    queryKey: ['schema', path],
    queryFn: ({ signal }) => call<Item>('GET', path, { signal }),
  });
  if (schema.isPending) return <Loader aria-label="Loading" />;
  if (schema.isError) return <ProblemAlert error={schema.error} />;
  const { examples = [], ...rest } = schema.data as Item & { examples?: readonly unknown[] };
  return (
    <div className="side-by-side">
      <JsonView label="Example" value={examples[0] ?? {}} />
      <JsonView label="Schema" value={rest} />
    </div>
  );
}
