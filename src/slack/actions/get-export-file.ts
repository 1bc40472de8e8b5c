import { AppError } from '../../model/error.ts';
import type { SlackAction } from '../action.ts';
import { fileLink } from '../messages/file-link.ts';
import { notice } from '../messages/notice.ts';

/** *Get the file* of an export whose file could not be put into the channel; its value is the id of the export. */
export const getExportFile: SlackAction = {
  id: 'get-export-file',
  async run({ asker, value }, { exports, baseUrl }) {
    try {
      const record = await exports.get(asker, value);
      if (record.state !== 'Successful') return [notice('The file is not kept any more. Please ask again.')];
      const ticket = encodeURIComponent(await exports.ticket(record));
      return [fileLink(`${baseUrl}/rest/export/download?ticket=${ticket}`)];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
      return [notice('Only who asked for this file can get it, and only while it is kept.')];
    }
  },
};
