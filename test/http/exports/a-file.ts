import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportFile } from '../../../src/api/exports.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A finished file on the disk. */
export function aFile(content: string | Uint8Array, fileName = 'dwell.csv'): ExportFile {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, content);
  return { path, bytes: Buffer.byteLength(content), fileName, mediaType: 'text/csv; charset=utf-8' };
}
