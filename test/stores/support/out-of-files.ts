import { openSync } from 'node:fs';

/**
 * Opens every free file descriptor, then prints whether this process and the given one are dead. Runs on the built
 * service.
 */
const built = new URL('../../../dist/stores/process-id.js', import.meta.url).href;
const { isProcessDead, currentProcessId } = (await import(built)) as typeof import('../../../src/stores/process-id.js');
const [, , other] = process.argv;
const own = currentProcessId();
let code: string | undefined;
while (code === undefined) {
  try {
    openSync('/dev/null', 'r');
  } catch (error) {
    code = (error as NodeJS.ErrnoException).code;
  }
}
console.log(JSON.stringify({ code, own: isProcessDead(own), other: isProcessDead(other!) }));
