import { settled } from '../output/readable-text.ts';
import { NEVER } from '../output/table-records.ts';

/** Longer answers crowd out what else an assistant has to think of. */
const MAX_CHARACTERS = 25_000;

/** A table to read; a cell that is null is a "never". */
export interface TextTable {
  readonly title?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** A text, and how many rows of its tables had no room in it. */
interface FittedText {
  readonly text: string;
  readonly left: number;
}

/**
 * Sentences, tables in Markdown, and what is to be known before the figures are trusted. Rows that are too many are
 * left out, the last first, and it is said how many.
 */
export function answerText(
  head: readonly string[],
  tables: readonly TextTable[],
  footer: readonly string[],
): FittedText {
  const around = [...head, ...footer].map(line);
  let room = MAX_CHARACTERS - around.join('\n').length - 300 * (tables.length + 1);
  let left = 0;
  const parts = tables.flatMap((table) => {
    if (table.rows.length === 0) return [];
    const lines = [row(table.columns), row(table.columns.map(() => '---'))];
    room -= lines.join('\n').length;
    for (const cells of table.rows) {
      const text = row(cells);
      room -= text.length + 1;
      if (room < 0) break;
      lines.push(text);
    }
    const more = table.rows.length - (lines.length - 2);
    left += more;
    const cut = `${more} more rows are left out of this text because it is limited to ${MAX_CHARACTERS.toLocaleString('en-US')} characters. The structured content has them.`;
    return [
      [
        ...(table.title === undefined ? [] : [`${line(table.title)}:`, '']),
        ...lines,
        ...(more === 0 ? [] : ['', cut]),
      ].join('\n'),
    ];
  });
  const sections = [around.slice(0, head.length).join('\n'), ...parts, around.slice(head.length).join('\n')];
  return { text: sections.filter((section) => section !== '').join('\n\n'), left };
}

function row(cells: readonly (string | number | null)[]): string {
  return `| ${cells.map((cell) => line(cell === null ? NEVER : String(cell)).replaceAll('|', '\\|')).join(' | ')} |`;
}

/** One line, whatever the tracker's texts hold. */
function line(text: string): string {
  const flat = settled(text).replaceAll(/\s+/g, ' ').trim();
  return flat.length > 400 ? `${flat.slice(0, 400).toWellFormed()}…` : flat;
}
