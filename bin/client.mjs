import { own } from './runtime.mjs';

/** Generates the sources of the TypeScript client from the OpenAPI document of the built service, and compiles them. */
export async function client() {
  console.error('Generating the client from the OpenAPI document …');
  const code = await own(['clients/typescript/generator/main.ts']);
  if (code === 0) console.error('Compiling the client into clients/typescript/dist …');
  return code === 0 ? own(['clients/typescript/build.mjs']) : code;
}
