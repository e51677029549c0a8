import { Group, Text } from '@mantine/core';
import { Copy } from './copy';

/** JSON or another text as text, never as markup. The copy button copies all of it. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Copy text={text} label={label} />
      </Group>
      <pre className="pre" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </div>
  );
}
