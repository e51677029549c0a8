import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const BUDGET_BYTES = 200_000;
/** The area that the console opens first on the port of the API. */
const FIRST_AREA = 'webhooks-area';

/** Fails the build when the gzipped scripts of the first page, or of another area alone, exceed the budget. */
export function checkChunkBudget(): Plugin {
  return {
    name: 'chunk-budget',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const entry = chunks.find(({ isEntry }) => isEntry)!;
      const areas = chunks.filter(({ name }) => name.endsWith('-area'));
      const first = areas.find(({ name }) => name === FIRST_AREA)!;
      const shown = collect([entry, first], chunks);
      const parts = [
        ['The first page', shown] as const,
        ...areas.map((area) => [area.name, collect([area], chunks).filter((one) => !shown.includes(one))] as const),
      ];
      for (const [name, loaded] of parts) {
        const bytes = loaded.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
        if (bytes > BUDGET_BYTES)
          this.error(`${name} loads ${bytes} bytes of gzipped script; the budget is ${BUDGET_BYTES}.`);
      }
    },
  };
}

/** Returns the chunks with everything that they import statically. */
function collect(
  from: readonly Rolldown.OutputChunk[],
  all: readonly Rolldown.OutputChunk[],
): readonly Rolldown.OutputChunk[] {
  const found = new Set(from);
  for (const { imports } of found) for (const chunk of all) if (imports.includes(chunk.fileName)) found.add(chunk);
  return [...found];
}
