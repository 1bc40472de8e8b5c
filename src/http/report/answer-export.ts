import type { ExportWish } from '../../model/export.ts';
import type { BodyReply, FileReply, HttpParts } from '../route.ts';
import { exportLink } from '../wire/export-json.ts';
import { trustHeaders } from '../wire/report-reply.ts';

/** Makes the file while its asker waits. */
export async function answerNow(
  wish: ExportWish,
  { exports }: Pick<HttpParts, 'exports'>,
): Promise<FileReply> {
  const { close, complete, undecided, ...file } = await exports.now(wish);
  return { file, headers: trustHeaders({ complete, undecided }), close };
}

/** Queues the export and tells where it can be asked after. */
export async function answerQueued(
  wish: ExportWish,
  { exports, baseUrl }: Pick<HttpParts, 'exports' | 'baseUrl'>,
): Promise<BodyReply> {
  const { id } = await exports.queue(wish);
  return { body: { exportId: id, statusLink: exportLink(baseUrl, id) } };
}
