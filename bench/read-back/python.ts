import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileFormat } from '../../src/output/workbook.ts';
import { type Reader, type ReadSheet, run, runs } from './reader.ts';

/** The second is the system's own, which packages of the system belong to. */
const programs = ['python3', '/usr/bin/python3'];

const script = fileURLToPath(new URL('read.py', import.meta.url));

/** Python 3 with the module that reads a format. */
export const pythonReaders: readonly Reader[] = [
  reader('csv', 'csv'),
  reader('csvZip', 'zipfile'),
  reader('json', 'json'),
  reader('xls', 'xlrd'),
  reader('xlsx', 'openpyxl'),
];

function reader(format: FileFormat['id'], module: string): Reader {
  const program = () => programs.find((one) => runs(one, ['-c', `import ${module}`]));
  return {
    name: `Python ${module}`,
    format,
    isInstalled: () => program() !== undefined,
    read(path, folder) {
      const target = join(folder, 'read.jsonl');
      run(program() ?? 'python3', [script, path, target]);
      return sheets(readFileSync(target, 'utf8'));
    },
    limit: (cell) => cell,
  };
}

/** Lines of JSON: the name of a sheet, or a row of the one named last. */
function sheets(text: string): readonly ReadSheet[] {
  const found: { name: string; rows: ReadSheet['rows'][number][] }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const told: unknown = JSON.parse(line);
    if (typeof told === 'string') found.push({ name: told, rows: [] });
    else if (Array.isArray(told)) found.at(-1)?.rows.push(told);
  }
  return found;
}
