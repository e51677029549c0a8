import { openSync } from 'node:fs';

/**
 * Opens every free file descriptor, then prints whether this process and the given one are dead. Runs on the built
 * service.
 */
const built = new URL('../../../dist/stores/holder.js', import.meta.url).href;
const { isGone, thisHolder } = (await import(built)) as typeof import('../../../src/stores/holder.js');
const [, , other] = process.argv;
const own = thisHolder();
let code: string | undefined;
while (code === undefined) {
  try {
    openSync('/dev/null', 'r');
  } catch (error) {
    code = (error as NodeJS.ErrnoException).code;
  }
}
console.log(JSON.stringify({ code, own: isGone(own), other: isGone(other!) }));
