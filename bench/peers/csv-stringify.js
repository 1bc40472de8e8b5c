import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { inventedColumns, inventedParts } from '../files/invented-book.ts';
import { writeFile } from '../files/written.ts';

const created = inventedColumns.findIndex(({ kind }) => kind === 'instant');

await writeFile(({ path, rows }) =>
  pipeline(lines(rows), stringify({ record_delimiter: 'windows' }), createWriteStream(path)),
);

async function* lines(rows) {
  yield inventedColumns.map(({ title }) => title);
  for await (const part of inventedParts(rows)) {
    for (const row of part) {
      yield row.map((value, at) => (at === created ? new Date(value).toISOString() : value));
    }
  }
}
