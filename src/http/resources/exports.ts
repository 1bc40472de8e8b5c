import { z } from 'zod';
import type { ExportFile } from '../../api/exports/exports-api.ts';
import { text, wholeNumber } from '../../api/parameters/parameter.ts';
import {
  type ExportParameters,
  exportParameters,
  isCsv,
  MAX_AT_ONCE,
  queueParameters,
} from '../../api/parameters/report.ts';
import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import { readFormats } from '../../api/settings/settings-api.ts';
import { about, badRequestAs } from '../../model/error.ts';
import { type ExportInput, type ExportRecord, exportStates, exportTypes } from '../../model/export.ts';
import type { Principal } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { selectionText, withNotes } from '../../output/provenance-sheet.ts';
import { defineRoute, json } from '../define-route.ts';
import { readReportRequest, trustHeaders } from '../report/answer.ts';
import { doubtMembers, doubtsIn } from '../report/table.ts';
import type { Answers, FileReply, HttpParts, RouteParts } from '../route.ts';

const queued = z
  .object({ exportId: z.string(), statusLink: z.string().describe('Address of the status of the export.') })
  .meta({ id: 'QueuedExport', description: 'An export that is queued.' });

const progress = z
  .object({
    exportId: z.string(),
    status: z.enum(exportStates),
    created: z.int().describe('Epoch ms.'),
    completed: z.int().describe('Processed issues; each counts when measured and when written.'),
    total: z.int().describe('Issues in all; 0 until they are counted.'),
    message: z.string().nullable().describe('Why it failed or was aborted.'),
    downloadLink: z
      .string()
      .nullable()
      .describe(
        'Null until Successful; then it opens the file for some minutes, without a token, for anyone who has it.',
      ),
    outputType: z.enum(exportTypes),
    columnsBy: z.string().describe('The report type.'),
    filter: z.string().describe('The filter of the issues.'),
    fileName: z.string().nullable(),
    bytes: z.int().nullable(),
    complete: z
      .boolean()
      .nullable()
      .describe('Whether the histories behind the file are complete; null until it is there.'),
    cutHistories: z.int().nullable(),
    undecided: z.int().nullable(),
    unaskedIssues: doubtMembers.unaskedIssues,
    finished: z.int().nullable().describe('End time, epoch ms; null before.'),
    expires: z.int().nullable().describe('Deletion time of the file, epoch ms; null without a file.'),
  })
  .meta({ id: 'Export', description: 'A queued export with its progress and the address of its file.' });

/**
 * A queued export in an answer. Its link opens the file for anyone who has it, for some minutes from now, while the
 * token of the principal is on.
 */
async function progressOf(
  record: ExportRecord,
  principal: Principal,
  { exports, tokens, baseUrl }: Pick<HttpParts, 'exports' | 'tokens' | 'baseUrl'>,
) {
  const { id, input, state, createdAt, completed, total, message, fileName, bytes, provenance } = record;
  const { selection } = input.request;
  const ticket = state === 'Successful' ? await exports.ticket(record, tokens.provenBy(principal)) : null;
  const link = `${baseUrl}/rest/export/download?ticket=${encodeURIComponent(ticket ?? '')}`;
  return {
    exportId: id,
    status: state,
    created: createdAt,
    completed,
    total,
    message,
    fileName,
    bytes,
    downloadLink: ticket === null ? null : link,
    outputType: input.type,
    columnsBy: input.request.reportType,
    filter: selection.by === 'jql' ? selection.jql : selectionText(selection),
    complete: provenance?.complete ?? null,
    cutHistories: provenance?.cutHistories ?? null,
    undecided: provenance?.undecided ?? null,
    unaskedIssues: doubtsIn(provenance ?? {}).unaskedIssues,
    finished: record.finishedAt,
    expires: record.expiresAt,
  };
}

/** The media type of a report as a JSON file, which is of another shape than the JSON beside it. */
const jsonFileType = 'application/json; profile=file';

const jsonFile = z
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
          .describe('In the order of the columns; null means never.'),
      }),
    ),
  })
  .meta({ id: 'ExportFile', description: 'A report as a JSON file.' });

const binary = z.string().meta({ format: 'binary' });

const fileContent = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': binary,
  'application/vnd.ms-excel': binary,
  [jsonFileType]: jsonFile,
  'text/csv': z.string(),
  'application/zip': binary,
};

const oneFile: Answers<typeof fileContent> = {
  description: 'The file.',
  content: fileContent,
  failures: [404],
};

function fileReply(file: ExportFile, provenance: Provenance, headers: FileReply['headers'] = {}): FileReply {
  const type = file.mediaType.startsWith('application/json') ? { 'Content-Type': jsonFileType } : {};
  return { file, headers: { ...trustHeaders(provenance), ...type, ...headers } };
}

/** The id of a queued export. One of a wrong form is not found, like any other unknown one. */
const exportId = z.string().meta({ format: 'uuid', description: 'Id of the queued export.' });

/** Every route of exports. */
export const exportRoutes = [
  defineRoute({
    id: 'exportIssues',
    methods: ['post'],
    paths: ['/rest/export/status'],
    takesLong: true,
    section: 'Exports',
    summary: 'Export a report of many issues to a file, at once or queued',
    parameters: z.object({ ...exportParameters, ...queueParameters }),
    answers: {
      description:
        'The file, under a name with its report and its time; of a queued export the id to ask for it with.',
      content: { 'application/json': queued, ...fileContent },
      failures: [429],
    },
    async answer(parameters, principal, parts) {
      const input = await readExport(parameters, principal, parts);
      const queues = parameters.async ?? (await parts.exports.count(input)) > MAX_AT_ONCE;
      return queues ? answerQueued(input, parts) : answerNow(input, parts);
    },
  }),
  defineRoute({
    id: 'queueExport',
    methods: ['post'],
    paths: ['/rest/export'],
    section: 'Exports',
    summary: 'Queue an export of many issues to a file',
    parameters: z.object(exportParameters),
    answers: json('The id of the queued export.', queued, 429),
    answer: async (parameters, principal, parts) =>
      answerQueued(await readExport(parameters, principal, parts), parts),
  }),
  defineRoute({
    id: 'exportIssuesAtOnce',
    methods: ['get', 'post'],
    paths: ['/rest/smallexport'],
    takesLong: true,
    section: 'Exports',
    summary: 'Export a report of many issues to a file, at once',
    parameters: z.object(exportParameters),
    answers: { description: 'The file, under a name with its report and its time.', content: fileContent },
    answer: async (input, principal, parts) => answerNow(await readExport(input, principal, parts), parts),
  }),
  defineRoute({
    id: 'listExports',
    methods: ['get'],
    paths: ['/rest/export', '/rest/export/status'],
    section: 'Exports',
    summary: 'Your queued exports, newest first, in pages',
    parameters: z.object({
      startIndex: wholeNumber(0, 1_000_000_000)
        .default(0)
        .describe('Index of the first export of the page, counted from 0.'),
      maxResults: wholeNumber(1, 200).default(50).describe('How many exports a page has at most.'),
    }),
    answers: json(
      'One page of the exports that run and that have ended.',
      z
        .object({
          startIndex: z.int(),
          maxResults: z.int(),
          total: z.int().describe('How many there are in all.'),
          exports: z.array(progress),
        })
        .meta({ id: 'ExportList', description: 'A page of your exports.' }),
    ),
    async answer({ startIndex, maxResults }, principal, parts) {
      const { records, total } = await parts.exports.list(principal, { start: startIndex, size: maxResults });
      const page = await Promise.all(records.map((record) => progressOf(record, principal, parts)));
      return { body: { startIndex, maxResults, total, exports: page } };
    },
  }),
  defineRoute({
    id: 'getExport',
    methods: ['get'],
    paths: ['/rest/export/:exportId', '/rest/export/status/:exportId'],
    section: 'Exports',
    summary: 'The progress of a queued export',
    parameters: z.object({ exportId }),
    answers: json('The export.', progress, 404),
    answer: async ({ exportId: id }, principal, parts) => ({
      body: await progressOf(await parts.exports.get(principal, id), principal, parts),
    }),
  }),
  defineRoute({
    id: 'abortExport',
    methods: ['delete'],
    paths: ['/rest/export/:exportId', '/rest/export/status/:exportId'],
    section: 'Exports',
    summary: 'Abort a queued export that has not ended yet',
    parameters: z.object({ exportId }),
    answers: json('The export, aborted.', progress, 404),
    answer: async ({ exportId: id }, principal, parts) => ({
      body: await progressOf(await parts.exports.abort(principal, id), principal, parts),
    }),
  }),
  defineRoute({
    id: 'downloadExport',
    methods: ['get'],
    paths: ['/rest/export/:exportId/download', '/rest/export/status/:exportId/download'],
    section: 'Exports',
    summary: 'The file of a queued export',
    parameters: z.object({ exportId }),
    answers: oneFile,
    async answer({ exportId: id }, principal, { exports }) {
      const file = await exports.file(principal, id);
      return fileReply(file, file.provenance);
    },
  }),
  defineRoute({
    id: 'downloadExportByTicket',
    methods: ['get'],
    paths: ['/rest/export/download'],
    guarded: false,
    section: 'Exports',
    summary: 'The file of a queued export, by the ticket of its link',
    parameters: z.object({
      ticket: text.meta({
        description: 'What the link of a finished export holds; good for some minutes.',
        format: 'password',
      }),
    }),
    answers: oneFile,
    async answer({ ticket }, _principal, { exports }) {
      const file = await exports.fileByTicket(ticket);
      // The address opens the file, so no other page is to learn it.
      return fileReply(file, file.provenance, { 'Referrer-Policy': 'no-referrer' });
    },
  }),
];

/** The export of checked parameters; its date formats are those of this moment, however long it is queued. */
async function readExport(
  parameters: ExportParameters,
  principal: Principal,
  parts: Pick<HttpParts, 'reporting' | 'settings' | 'now'>,
): Promise<ExportInput> {
  const { outputType: type, byteOrderMark } = parameters;
  if (byteOrderMark && !isCsv(type)) {
    throw badRequestAs(
      'conflicting-values',
      about(
        'byteOrderMark',
        `'true' cannot be used with outputType ${type}. Try: ${exportTypes.filter(isCsv).join(', ')}.`,
      ),
    );
  }
  const request = await readReportRequest(parameters, 'issue', principal, parts);
  const unchecked = await checkDayLength(parameters, principal, parts.settings);
  const { formats, notes } = await readFormats(parameters, parts.settings);
  return {
    principalName: null,
    type,
    request,
    unit: parameters.viewFormat,
    dayLength: parameters.dayLength,
    ...withNotes({ formats }, [...unchecked, ...notes]),
    denominator: parameters.averageDenominator,
    deviation: parameters.stddevType,
    byteOrderMark,
    withProvenance: parameters.withProvenance,
  };
}

/** Makes the file while its principal waits. */
async function answerNow(
  input: ExportInput,
  { exports, gone }: Pick<RouteParts, 'exports' | 'gone'>,
): Promise<FileReply> {
  const { close, ...file } = await exports.now(input, gone);
  return { ...fileReply(file, withNotes(file.provenance, input.notes ?? [])), close };
}

/** Queues the export. The status is 200 and not 202, which is what clients of the live product expect. */
async function answerQueued(
  input: ExportInput,
  { exports, baseUrl }: Pick<HttpParts, 'exports' | 'baseUrl'>,
) {
  const { id } = await exports.queue(input);
  return { body: { exportId: id, statusLink: `${baseUrl}/rest/export/${id}` } };
}
