import { AppError } from '../../model/error.ts';
import type { SlackAction } from '../action.ts';
import { askersOf } from '../exports/principals-of.ts';
import { fileLink } from '../messages/file-link.ts';
import { notice } from '../messages/notice.ts';
import type { ExportParts } from '../parts.ts';

/** *Get the file* of an export whose file could not be put into the channel; its value is the id of the export. */
export const getExportFile: SlackAction<ExportParts> = {
  id: 'get-export-file',
  async run({ principal: { account }, value }, parts) {
    const { exports, baseUrl } = parts;
    for (const principal of await askersOf(account, parts)) {
      const record = await exports.get(principal, value).catch(unlessMissing);
      if (record === null) continue;
      if (record.state !== 'Successful') return [notice('The file is not kept any more. Please ask again.')];
      if (baseUrl === null) {
        return [
          notice(
            'I cannot link to the file: this Dwell has no address that others reach. An admin can set `BASE_URL`.',
            `Over REST the file is that of \`/rest/export/${record.id}\`.`,
          ),
        ];
      }
      const ticket = encodeURIComponent(await exports.ticket(record, null));
      return [fileLink(`${baseUrl}/rest/export/download?ticket=${ticket}`)];
    }
    return [notice('Only who asked for this file can get it, and only while it is kept.')];
  },
};

function unlessMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'not-found') return null;
  throw error;
}
