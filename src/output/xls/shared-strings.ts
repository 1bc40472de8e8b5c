import { longs } from './record.ts';
import type { Spool } from './spool.ts';
import { COUNTS_POSITION, createStringRecords } from './string-records.ts';

/** So many bytes wait before they are written. */
const CHUNK_BYTES = 2 ** 18;

/** Two generations of so many texts are recognised when they come again. */
const GENERATION = 2 ** 12;

/** Longer texts hardly ever come twice, and would fill the memory. */
const LONGEST_RECOGNISED = 256;

/** The one table of a file into which all its cells with text point. */
export interface SharedStrings {
  /** The place in the table of a text of at most 65,535 UTF-16 units. */
  readonly indexOf: (text: string) => number;
  /** Whether so much has come that `write` should be called before more does. */
  readonly isFull: () => boolean;
  readonly write: () => Promise<void>;
  /** Writes what is left, and the counts. Nothing may come afterwards. */
  readonly finish: () => Promise<void>;
}

/**
 * Fills an empty spool with the records of the table. Only texts that came lately are recognised, so the table may
 * hold a text twice: memory stays the same however many there are.
 */
export function createSharedStrings(spool: Spool): SharedStrings {
  const records = createStringRecords();
  let older = new Map<string, number>();
  let recent = new Map<string, number>();
  let cells = 0;
  let texts = 0;

  const add = (text: string) => {
    records.append(text);
    return texts++;
  };
  const write = async () => {
    await spool.append(records.complete());
    records.forget();
  };
  return {
    indexOf(text) {
      cells++;
      if (text.length > LONGEST_RECOGNISED) return add(text);
      const known = recent.get(text);
      if (known !== undefined) return known;
      const index = older.get(text) ?? add(text);
      if (recent.size === GENERATION) {
        older = recent;
        recent = new Map();
      }
      recent.set(text, index);
      return index;
    },
    isFull: () => records.complete().length >= CHUNK_BYTES,
    write,
    async finish() {
      records.finish();
      await write();
      await spool.patch(COUNTS_POSITION, longs(cells, texts));
    },
  };
}
