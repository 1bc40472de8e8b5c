import type { ExportRecord } from '../../model/export.ts';
import type { Principal } from '../../model/request.ts';
import { selectionText } from '../../output/provenance-sheet.ts';
import type { HttpParts } from '../route.ts';
import { unaskedJson } from './outer-json.ts';

/**
 * A queued export on the wire. Its link opens the file for whoever has it, for some minutes from now, while the token of
 * the principal is switched on.
 */
export async function exportJson(
  record: ExportRecord,
  principal: Principal,
  { exports, tokens, baseUrl }: Pick<HttpParts, 'exports' | 'tokens' | 'baseUrl'>,
) {
  const { id, input, state, createdAt, completed, total, message, provenance } = record;
  const { selection } = input.request;
  const ticket = state === 'Successful' ? await exports.ticket(record, tokens.provenBy(principal)) : null;
  return {
    exportId: id,
    status: state,
    created: createdAt,
    completed,
    total,
    message,
    downloadLink: ticket === null ? null : ticketLink(baseUrl, ticket),
    outputType: input.type,
    columnsBy: input.request.reportType,
    filter: selection.by === 'jql' ? selection.jql : selectionText(selection),
    fileName: record.fileName,
    bytes: record.bytes,
    complete: provenance?.complete ?? null,
    cutHistories: provenance?.cutHistories ?? null,
    undecided: provenance?.undecided ?? null,
    ...unaskedJson(provenance ?? {}),
    finished: record.finishedAt,
    expires: record.expiresAt,
  };
}

/** Where a queued export can be asked after. */
export function exportLink(baseUrl: string, id: string): string {
  return `${baseUrl}/rest/export/${id}`;
}

function ticketLink(baseUrl: string, ticket: string): string {
  return `${baseUrl}/rest/export/download?ticket=${encodeURIComponent(ticket)}`;
}
