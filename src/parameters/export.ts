import type { z } from 'zod';
import { type ExportType, exportTypes } from '../model/export.ts';
import { listParameters } from './list.ts';
import { flag, oneOf } from './parameter.ts';
import { figureParameters } from './statistic.ts';

/** What of an export's parameters is about the file alone. */
export const fileParameters = {
  byteOrderMark: flag.default(false).meta({
    description: 'With a CSV type: begin with a byte order mark, by which older Excel knows UTF-8.',
  }),
  withProvenance: flag.default(false).meta({
    description:
      'With a CSV type: answer a ZIP of the CSV and one that tells where its figures come from. The other types always tell.',
  }),
};

/** What an export takes: everything a list does, and what kind of file it is to be. */
export const exportParameters = {
  ...listParameters,
  ...figureParameters,
  outputType: oneOf(exportTypes).meta({
    description:
      'XLSX and XLS: a workbook of the list and its statistics; JSON: the same; CSV: the list; the others: one statistic over all issues or over each group.',
  }),
  ...fileParameters,
};

/** The most issues of a file that somebody waits for unless they say so: clients and proxies wait for a minute. */
export const MOST_AT_ONCE = 20_000;

/** Whether an export is queued. */
export const queueParameters = {
  async: flag.optional().meta({
    description: `true: queue the export, whatever its size; false: answer with the file, whatever its size. Without it up to ${MOST_AT_ONCE.toLocaleString('en-US')} issues are answered at once, and more are queued.`,
  }),
};

/** What every export was asked with, checked. */
export type AskedExport = z.output<z.ZodObject<typeof exportParameters>>;

/** Whether a file of a type is CSV. */
export function isCsv(type: ExportType): boolean {
  return type.startsWith('CSV');
}
