import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from '../browser.ts';
import { type Demo, startDemo } from './demo.ts';
import { PICTURES } from './pictures.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/screenshots');
const SIZES = { 1280: 680, 390: 844 } as const;
const THEMES = ['light', 'dark'] as const;
/** The times and amounts of a picture do not depend on the machine. */
const PLACE = { timezoneId: 'UTC', locale: 'en-US', reducedMotion: 'reduce' } as const;
const QUALITY = 40;

/** Makes the pictures of the console in docs/screenshots, from the demo store. */
const dataDir = await mkdtemp(join(tmpdir(), 'screenshots-'));
const demo = await startDemo(dataDir);
const browser = await startBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  for (const [width, height] of Object.entries(SIZES)) {
    for (const colorScheme of THEMES) {
      const options = { ...PLACE, viewport: { width: Number(width), height }, colorScheme };
      for (const name of Object.keys(PICTURES)) await takePicture(demo, name, options);
    }
  }
} finally {
  await browser.close();
  await demo.stop();
  await rm(dataDir, { recursive: true });
}

async function takePicture(from: Demo, name: string, options: BrowserContextOptions): Promise<void> {
  const page = await PICTURES[name]!(browser, from, options);
  const file = join(FOLDER, `${name}-${options.viewport!.width}-${options.colorScheme}.webp`);
  await writeFile(file, await capture(page));
  await page.context().close();
  console.log(file);
}

/** Returns a picture in the WebP format, which Playwright itself does not write. */
async function capture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}
