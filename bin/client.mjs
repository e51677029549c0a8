import { own } from './runtime.mjs';

/** Generates the sources of the TypeScript client from the OpenAPI document of the built service, and compiles them. */
export async function client() {
  const code = await own(['clients/typescript/generator/main.ts']);
  return code === 0 ? own(['node_modules/typescript/bin/tsc', '--project', 'clients/typescript']) : code;
}
