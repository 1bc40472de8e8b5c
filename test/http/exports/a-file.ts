import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localFile } from '../../../src/api/exports/export-files.ts';
import type { ExportFile } from '../../../src/api/exports/exports-api.ts';
import { aProvenance } from '../../support/a-provenance.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A file on the disk, and where it is. */
export type FileOnDisk = ExportFile & { readonly path: string };

/** A finished file on the disk. */
export function aFile(content: string | Uint8Array, fileName = 'dwell.csv'): FileOnDisk {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, content);
  const bytes = Buffer.byteLength(content);
  return {
    ...localFile(path),
    path,
    bytes,
    fileName,
    mediaType: 'text/csv; charset=utf-8',
    provenance: aProvenance(),
  };
}
