import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { text, wholeNumber } from '../../api/parameters/parameter.ts';
import { exportParameters } from '../../api/parameters/report.ts';
import { formatsToUse } from '../../api/settings/settings-api.ts';
import { pause } from '../../concurrency/poller.ts';
import { type ExportRecord, exportTypes } from '../../model/export.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { answerText, completenessText, isoOrNull } from '../answer-facts.ts';
import { fileUnit, readIssueFilter, readRequest, reportInputs } from '../inputs.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const { averageDenominator, stddevType, byteOrderMark, withProvenance } = exportParameters;
const outputType = exportParameters.outputType.meta({
  ...exportParameters.outputType.meta(),
  enum: [...exportTypes],
});

const output = z.object({
  exportId: z.string(),
  status: z.enum(['Queued', 'Running', 'Successful', 'Failed', 'Aborted', 'Expired']),
  completed: z.int().meta({ description: 'Issues worked through so far.' }),
  total: z.int(),
  message: z.string().nullable().meta({ description: 'Why it failed or was aborted.' }),
  downloadLink: z.string().nullable().meta({
    description: 'Opens the file without a token, for 15 minutes; null until the file is there.',
  }),
  fileName: z.string().nullable(),
  bytes: z.int().nullable(),
  asOf: z.iso.datetime().nullable().meta({ description: 'The instant the file is about.' }),
  complete: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether every history is whole; null: not known yet.' }),
  cutHistories: z.int().nullable(),
  undecided: z.int().nullable(),
  expires: z.iso.datetime().nullable().meta({ description: 'When the file is deleted.' }),
});

/** The pause (ms) between looks at an export while someone waits. */
const LOOK_MS = 200;

const unfinished: readonly ExportRecord['state'][] = ['Queued', 'Running'];

const exportReport = defineTool({
  name: 'export_report',
  title: 'Report as a file',
  description:
    'The report of all issues that match a filter as a file: XLSX, XLS, CSV or JSON. Waits some seconds for it; returns a download link, or the export id to ask get_export with.',
  takesLong: true,
  parameters: z.object({
    ...reportInputs,
    outputType,
    averageDenominator,
    stddevType,
    byteOrderMark,
    withProvenance,
    ...fileUnit,
    waitSeconds: wholeNumber(0, 30).default(10).meta({ description: 'How long to wait for the file.' }),
  }),
  output,
  async answer(input, context) {
    const { exports, principal, settings, signal } = context;
    const request = await readRequest(input, 'issue', readIssueFilter(input), context);
    const { formats, notes } = await formatsToUse(settings);
    let record = await exports.queue({
      principalName: null,
      type: input.outputType,
      request,
      unit: input.viewFormat,
      dayLength: input.dayLength,
      ...withNotes({ formats }, notes),
      denominator: input.averageDenominator,
      deviation: input.stddevType,
      byteOrderMark: input.byteOrderMark,
      withProvenance: input.withProvenance,
      withCycleTime: true,
    });
    const looks = (input.waitSeconds * 1000) / LOOK_MS;
    for (let look = 0; look < looks && unfinished.includes(record.state); look += 1) {
      await pause(LOOK_MS, signal);
      signal.throwIfAborted();
      record = await exports.get(principal, record.id);
    }
    return exportAnswer(record, context);
  },
});

const getExport = defineTool({
  name: 'get_export',
  title: 'Progress of an export',
  description: 'How far an export is, and its download link once the file is there.',
  takesLong: false,
  parameters: z.object({ exportId: text.meta({ description: 'Id that export_report returned.' }) }),
  output,
  answer: async ({ exportId }, context) =>
    exportAnswer(await context.exports.get(context.principal, exportId), context),
});

async function exportAnswer(record: ExportRecord, context: ToolContext) {
  const { id, state, completed, total, message, fileName, bytes, provenance, expiresAt, input } = record;
  const downloadLink = state === 'Successful' ? await linkOf(record, context) : null;
  const content = {
    exportId: id,
    status: state,
    completed,
    total,
    message,
    downloadLink,
    fileName,
    bytes,
    asOf: isoOrNull(provenance?.asOf ?? input.request.asOf),
    complete: provenance?.complete ?? null,
    cutHistories: provenance?.cutHistories ?? null,
    undecided: provenance?.undecided ?? null,
    expires: isoOrNull(expiresAt),
  };
  const histories = provenance === null ? [] : [completenessText(provenance)];
  const { text: fitted } = answerText(
    [
      `Export ${id} (${input.type}, report ${input.request.reportType}): ${state}.`,
      ...(unfinished.includes(state)
        ? [`${completed} of ${total} issues are done. Call get_export with exportId "${id}" for the file.`]
        : []),
      ...(message === null ? [] : [message]),
      ...(fileName === null ? [] : [`File: ${fileName}, ${bytes} bytes, ${total} issues.`]),
    ],
    [],
    [
      ...histories,
      `Durations in the file: ${input.unit}. Calendar: ${calendarText(record)}. Time zone of dates: ${provenance?.timeZone ?? 'yours'}.`,
      `As of: ${content.asOf ?? 'now'}.`,
    ],
  );
  // A link is never cut.
  return { content, text: downloadLink === null ? fitted : `${fitted}\n\nDownload: ${downloadLink}` };
}

function calendarText({ provenance, input }: ExportRecord): string {
  const { name, continuous } = provenance?.calendar ?? {
    name: input.request.calendar,
    continuous: input.request.calendar === 'normalHours',
  };
  return continuous ? '24/7' : `${name} (only working time counts)`;
}

/** A link that opens the file for some minutes; on this very machine, the file itself. */
async function linkOf(record: ExportRecord, { exports, tokens, principal, baseUrl }: ToolContext) {
  if (baseUrl === null) {
    const file = await exports.file(principal, record.id);
    return pathToFileURL(await file.localPath()).href;
  }
  const ticket = await exports.ticket(record, tokens.provenBy(principal));
  return `${baseUrl}/rest/export/download?ticket=${encodeURIComponent(ticket)}`;
}

/** The tools that make files. */
export const exportTools = [exportReport, getExport];
