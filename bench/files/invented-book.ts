import { millisecondsInDay } from 'date-fns/constants';
import type { SheetColumn, SheetRow, SheetValue, Workbook } from '../../src/output/workbook.ts';

const PART = 500;
const NUMBERS = 8;

const words = 'payment retry timeout button login export error locale cache index token mail filter'.split(
  ' ',
);
const types = ['Bug', 'Story', 'Task'];
const statuses = ['Open', 'In Progress', 'In Review', 'Waiting for customer', 'Done'];
const people = ['Ada Adler', 'Björn Bär', 'Chloé Dupont', 'Dmitri Orlov', 'Eun-ji Kim'];

/** Seven columns of texts and dates and eight of numbers, as a list of times in status has them. */
export const inventedColumns: readonly SheetColumn[] = [
  column('key', 'Key'),
  column('summary', 'Summary'),
  column('type', 'Issue type'),
  column('status', 'Status'),
  column('assignee', 'Assignee'),
  column('created', 'Created', 'instant'),
  column('due', 'Due', 'day'),
  ...Array.from({ length: NUMBERS }, (_, at) => column(`time${at}`, `In status ${at + 1} (hours)`, 'number')),
];

/** A workbook of one sheet, the same in every run; its rows are made while they are read. */
export function inventedBook(count: number): Workbook {
  return {
    title: 'Time in status',
    timeZone: 'Europe/Berlin',
    formats: { dateFormat: 'yyyy-MM-dd', dateTimeFormat: 'yyyy-MM-dd HH:mm:ss' },
    sheets: [{ id: 'list', name: 'List', columns: inventedColumns, rows: inventedParts(count) }],
  };
}

/** The rows alone: a quarter of the numbers are empty. */
export async function* inventedParts(count: number): AsyncGenerator<readonly SheetRow[]> {
  const random = createRandom(20_260_318);
  const one = <Item>(of: readonly Item[]): Item | null => of[Math.floor(random() * of.length)] ?? null;
  const start = Date.UTC(2023, 0, 1);
  for (let at = 0; at < count; at += PART) {
    const part: SheetRow[] = [];
    for (let row = at; row < Math.min(at + PART, count); row += 1) {
      const created = start + Math.floor(random() * 1000 * millisecondsInDay);
      const values: SheetValue[] = [
        `WEB-${row + 1}`,
        `${one(words)} ${one(words)} ${one(words)} ${one(words)} ${one(words)}`,
        one(types),
        one(statuses),
        one(people),
        created,
        new Date(created + 30 * millisecondsInDay).toISOString().slice(0, 10),
      ];
      while (values.length < inventedColumns.length) {
        values.push(random() < 0.25 ? null : Math.round(random() * 5e12) / 1e10);
      }
      part.push(values);
    }
    yield part;
  }
}

function column(id: string, title: string, kind: SheetColumn['kind'] = 'text'): SheetColumn {
  return { id, title, kind, unit: kind === 'number' ? 'hours' : null };
}

/** Mulberry32, by Tommy Ettinger: public domain. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
