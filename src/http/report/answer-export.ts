import type { ExportInput } from '../../model/export.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import type { BodyReply, FileReply, HttpParts, RouteParts } from '../route.ts';
import { exportLink } from '../wire/export-json.ts';
import { trustHeaders } from '../wire/report-reply.ts';

/** Makes the file while its principal waits. */
export async function answerNow(
  input: ExportInput,
  { exports, gone }: Pick<RouteParts, 'exports' | 'gone'>,
): Promise<FileReply> {
  const { close, ...file } = await exports.now(input, gone);
  return { file, headers: trustHeaders(withNotes(file.provenance, input.notes ?? [])), close };
}

/** Queues the export and says where its status is. The status is 200 and not 202, which is what clients of the live product expect. */
export async function answerQueued(
  input: ExportInput,
  { exports, baseUrl }: Pick<HttpParts, 'exports' | 'baseUrl'>,
): Promise<BodyReply> {
  const { id } = await exports.queue(input);
  return { body: { exportId: id, statusLink: exportLink(baseUrl, id) } };
}
