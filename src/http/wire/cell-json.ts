import { type Cell, type Column, cellOf, type MetricState } from '../../model/table.ts';
import { durationText, numberText } from '../../output/readable-text.ts';
import { NEVER, type Wording } from '../../output/table-records.ts';
import { dateText, dayText } from '../../time/date-text.ts';

/** A value cell on the wire; every member is text. */
export interface ValueJson {
  readonly id: string;
  readonly value: string;
  /** Whole working milliseconds, or the count itself; absent of dates. */
  readonly raw?: string;
  /** How many visits the value is made of. */
  readonly count?: string;
  readonly state?: MetricState;
}

/** A figure in the asked unit with what is behind it; "-" alone stands for "never". */
export function valueJson(
  { id, kind }: Column,
  cell: Cell | undefined,
  wording: Wording,
  state?: MetricState,
): ValueJson {
  const value = cell === undefined ? NEVER : cellText(kind, cell.value, wording);
  const json: { -readonly [Member in keyof ValueJson]: ValueJson[Member] } = { id, value };
  if (typeof cell?.value === 'number' && kind !== 'instant') {
    json.raw = kind === 'duration' ? String(Math.round(cell.value)) : numberText(cell.value);
    if (cell.visits !== undefined) json.count = String(cell.visits);
  }
  if (state !== undefined) json.state = state;
  return json;
}

/** The cells of a part of the columns that are told as text alone. */
export function textCells(
  columns: readonly Column[],
  part: Column['part'],
  cells: Readonly<Record<string, Cell>>,
  wording: Wording,
): { readonly id: string; readonly value: string }[] {
  return columns
    .filter((column) => column.part === part)
    .map(({ id, kind }) => {
      const cell = cellOf(cells, id);
      return { id, value: cell === undefined ? NEVER : cellText(kind, cell.value, wording) };
    });
}

function cellText(kind: Column['kind'], value: Cell['value'], wording: Wording): string {
  if (typeof value === 'string') return kind === 'day' ? dayText(value, wording.formats.dateFormat) : value;
  switch (kind) {
    case 'duration':
      return durationText(value, wording.viewFormat, wording.dayMs);
    case 'instant':
      return dateText(value, wording.formats.dateTimeFormat, wording.timeZone);
    case 'count':
      return numberText(value);
    default:
      return String(value);
  }
}
