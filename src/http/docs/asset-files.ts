import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';

/** The folder `docs` of the project, seen from `src` and from `dist`. */
export const DOCS_FOLDER = join(import.meta.dirname, '../../../docs');

const MEDIA_TYPES = {
  'scalar.js': 'text/javascript; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'pages.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

export type AssetName = keyof typeof MEDIA_TYPES;

export interface AssetFile {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly etag: string;
  readonly isGzip: boolean;
}

/** The files that the pages load. Each file is read on its first request. */
@Injectable()
export class AssetFiles {
  private readonly files = new Map<AssetName, Promise<AssetFile>>();

  static has(name: string): name is AssetName {
    return Object.hasOwn(MEDIA_TYPES, name);
  }

  read(name: AssetName): Promise<AssetFile> {
    const known = this.files.get(name);
    if (known !== undefined) return known;
    const file = readAsset(name);
    this.files.set(name, file);
    return file;
  }
}

/** Returns the same file uncompressed, for a client that does not accept gzip. */
export async function decompress(file: AssetFile): Promise<AssetFile> {
  return file.isGzip ? { ...file, bytes: await promisify(gunzip)(file.bytes), isGzip: false } : file;
}

/** The script is stored compressed, because it is sent compressed. */
async function readAsset(name: AssetName): Promise<AssetFile> {
  const isGzip = name === 'scalar.js';
  const bytes = await readFile(join(DOCS_FOLDER, 'assets', isGzip ? `${name}.gz` : name));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { bytes, mediaType: MEDIA_TYPES[name], etag, isGzip };
}
