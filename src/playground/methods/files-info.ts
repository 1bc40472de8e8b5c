import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';
import { wireFile } from '../wire-message.ts';

/** One file. */
export const filesInfo: Method = {
  name: 'files.info',
  run: (args, { files, options }) => {
    const file = files.find(args.required('file'));
    if (!file) throw new Refusal('file_not_found');
    return { file: wireFile(file, options.url()) };
  },
};
