import { own } from './runtime.mjs';

/** Generates the sources of both clients from the OpenAPI document of the built service, and compiles the TypeScript one. */
export async function client() {
  console.error('Generating the clients from the OpenAPI document …');
  const code = await own(['clients/generator/main.ts']);
  if (code === 0) console.error('Compiling the TypeScript client into clients/typescript/dist …');
  return code === 0 ? own(['clients/typescript/build.mjs']) : code;
}
