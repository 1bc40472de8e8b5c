import type { Workbook } from './workbook.ts';

/** Choices that some formats have. */
export interface FileOptions {
  /** Begin a CSV with a byte order mark, by which Excel knows UTF-8. */
  readonly byteOrderMark: boolean;
  /** How hard to compress, 1 (quick) to 9 (small). */
  readonly compression: number;
}

/** How many sheets, columns and characters a format can hold at most is its own business: it refuses, splits or cuts. */
export interface FileFormat {
  readonly id: 'csv' | 'csvZip' | 'json' | 'xls' | 'xlsx';
  /** Without the dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** How many columns a sheet holds; null: any number. */
  readonly mostColumns: number | null;
  /**
   * Writes a workbook to a file that does not exist yet, in memory that does not grow with its rows. When it fails the
   * file may be there in part; files beside it have names that begin with the same path and are taken away again.
   */
  write(book: Workbook, path: string, options: FileOptions): Promise<void>;
}
