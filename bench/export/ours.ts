import { fileFormats } from '../../src/output/files/index.ts';
import { inventedBook } from './invented-book.ts';
import { measured } from './measured.ts';

const [path = '', rows = '', id = '', level = '2'] = process.argv.slice(2);
const format = fileFormats.find((one) => one.id === id);
if (format === undefined) throw new Error(`There is no format '${id}'`);

await measured(path, () =>
  format.write(inventedBook(Number(rows)), path, { byteOrderMark: false, compression: Number(level) }),
);
