import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { inventedColumns, inventedParts } from '../export/invented-book.ts';
import { measured } from '../export/measured.ts';

const [path, rows] = process.argv.slice(2);
const created = inventedColumns.findIndex(({ kind }) => kind === 'instant');

await measured(path, () =>
  pipeline(lines(), stringify({ record_delimiter: 'windows' }), createWriteStream(path)),
);

async function* lines() {
  yield inventedColumns.map(({ title }) => title);
  for await (const part of inventedParts(Number(rows))) {
    for (const row of part) {
      yield row.map((value, at) => (at === created ? new Date(value).toISOString() : value));
    }
  }
}
