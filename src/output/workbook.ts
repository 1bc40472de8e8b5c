import type { DateFormats } from '../model/settings.ts';

/**
 * A column as it is headed. `unit` says what a number counts, such as hours, also where some rows count something else; the
 * title, or a column of units, already says it.
 */
export interface SheetColumn {
  readonly id: string;
  readonly title: string;
  /**
   * Text, plain numbers, instants (epoch ms, shown on the clocks of the workbook's zone), or days (yyyy-MM-dd; anything
   * else is text).
   */
  readonly kind: 'text' | 'number' | 'instant' | 'day';
  readonly unit: string | null;
}

/**
 * A raw value; null is an empty cell and means "never". In a column of numbers or instants a string is written as the
 * text it is.
 */
export type SheetValue = string | number | null;

/** The values of a line in the order of the columns. */
export type SheetRow = readonly SheetValue[];

/** One table of a file. Its rows come in parts, in order, and can be read once; their producer may pause between. */
export interface Sheet {
  /** Names the sheet for programs, such as `standardDeviation`; unique within the workbook. */
  readonly id: string;
  /** Names it for people; at most 28 characters, so that a number fits behind it where a format needs several sheets. */
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: AsyncIterable<readonly SheetRow[]>;
}

/** Everything one file is to hold. Sheets are written, and their rows read, in order. */
export interface Workbook {
  readonly title: string;
  readonly sheets: readonly Sheet[];
  /** IANA zone of the clocks that instants are shown on. */
  readonly timeZone: string;
  /** Java patterns of days and instants. */
  readonly formats: DateFormats;
  /** The content for programs, where it is no table; JSON files have it instead of the sheets. */
  readonly document?: Readonly<Record<string, unknown>>;
}

/** Choices that some formats have. */
interface FileOptions {
  /** Begin a CSV with a byte order mark, by which Excel knows UTF-8. */
  readonly byteOrderMark: boolean;
  /** The compression from 1 (quick) to 9 (small). */
  readonly compression: number;
}

/** A format of files. Its limits of sheets, columns and characters are its own business: it refuses, splits or cuts. */
export interface FileFormat {
  readonly id: 'csv' | 'csvZip' | 'json' | 'xls' | 'xlsx';
  /** The extension without the dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** The number of columns a sheet can have; null: any number. */
  readonly maxColumns: number | null;
  /**
   * Writes a workbook to a file that does not exist yet, in memory that does not grow with its rows. When it fails the
   * file may be there in part; files beside it have names that begin with the same path and are taken away again.
   */
  write(book: Workbook, path: string, options: FileOptions): Promise<void>;
}
