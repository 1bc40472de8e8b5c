import { z } from 'zod';
import { exportStates, exportTypes } from '../../model/export.ts';
import { unaskedIssues } from './report-schema.ts';

const nullableInstant = (description: string) => z.int().nullable().meta({ description });

/** What a queued export is told of at first. */
export const queuedSchema = z
  .object({
    exportId: z.string(),
    statusLink: z.string().meta({ description: 'Where the status of the export is.' }),
  })
  .meta({ id: 'QueuedExport' });

/** A queued export. */
export const exportSchema = z
  .object({
    exportId: z.string(),
    status: z.enum(exportStates),
    created: z.int().meta({ description: 'Epoch ms.' }),
    completed: z
      .int()
      .meta({ description: 'Issues worked through so far, each first measured and then written.' }),
    total: z.int().meta({ description: 'Issues in all; 0 until they are counted.' }),
    message: z.string().nullable().meta({ description: 'Why it failed or was aborted.' }),
    downloadLink: z.string().nullable().meta({
      description:
        'Null until Successful; then it opens the file for some minutes, without a token, for anyone who has it.',
    }),
    outputType: z.enum(exportTypes),
    columnsBy: z.string().meta({ description: 'The report type.' }),
    filter: z
      .string()
      .meta({ description: 'How the issues are chosen, so that exports can be distinguished.' }),
    fileName: z.string().nullable(),
    bytes: z.int().nullable(),
    complete: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the histories behind the file are complete; null until it is there.' }),
    cutHistories: z.int().nullable(),
    undecided: z.int().nullable(),
    unaskedIssues: unaskedIssues.optional(),
    finished: nullableInstant('When it came to its end, epoch ms; null before.'),
    expires: nullableInstant('When the file is deleted, epoch ms; null without one.'),
  })
  .meta({ id: 'Export' });

/** A part of the principal's exports. */
export const exportListSchema = z
  .object({
    startIndex: z.int(),
    maxResults: z.int(),
    total: z.int().meta({ description: 'How many there are in all.' }),
    exports: z.array(exportSchema),
  })
  .meta({ id: 'ExportList' });

const fileSchema = z
  .object({
    title: z.string(),
    timeZone: z.string(),
    sheets: z.record(
      z.string(),
      z.object({
        name: z.string(),
        columns: z.array(
          z.object({
            id: z.string(),
            title: z.string(),
            kind: z.enum(['text', 'number', 'instant', 'day']),
            unit: z.string().nullable(),
          }),
        ),
        rows: z
          .array(z.array(z.union([z.string(), z.number(), z.null()])))
          .meta({ description: 'In the order of the columns; null means never.' }),
      }),
    ),
  })
  .meta({ id: 'ExportFile' });

/** The file of an export by its media type; `beside` is what else may be answered as JSON. */
export function fileContent(beside?: z.ZodType) {
  return {
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': z.unknown(),
    'application/vnd.ms-excel': z.unknown(),
    'application/json': beside === undefined ? fileSchema : z.union([fileSchema, beside]),
    'text/csv': z.string(),
    'application/zip': z.unknown(),
  };
}
